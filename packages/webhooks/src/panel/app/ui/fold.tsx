import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { uiTexts } from './ui-texts.ts';

/** Whether something long is folded, and the button that changes it; none if it is not long. */
export function useFold(isLong: boolean): { readonly isFolded: boolean; readonly button: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const button = isLong && (
    <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? uiTexts.showLess : uiTexts.showAll}
    </Button>
  );
  return { isFolded: isLong && !isOpen, button };
}
