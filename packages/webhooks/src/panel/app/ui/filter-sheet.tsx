import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { uiTexts } from './ui-texts.ts';

/** Filters beside the search; where that is narrow, in a sheet at the end of the window. */
export function FilterSheet({ children }: { readonly children: ReactNode }) {
  const id = useId();
  return (
    <>
      <Button className="filter-opener" variant="default" popoverTarget={id}>
        {uiTexts.filters}
      </Button>
      <div id={id} className="filter-sheet" popover="auto">
        {children}
        <Button className="filter-opener" popoverTarget={id} popoverTargetAction="hide">
          {uiTexts.close}
        </Button>
      </div>
    </>
  );
}
