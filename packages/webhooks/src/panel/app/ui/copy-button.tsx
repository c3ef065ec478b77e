import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { uiTexts } from './ui-texts.ts';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly variant?: 'default' | 'filled';
  readonly size?: 'sm' | 'compact-sm';
}

/** Copies a text, and shows whether that worked. */
export function CopyButton({ text, label, variant = 'default', size = 'sm' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  const copy = async () => setOutcome((await writeClipboard(text)) ? 'copied' : 'refused');
  const labels = { none: label, copied: uiTexts.copied, refused: uiTexts.copyManually };
  return (
    <Button
      variant={variant}
      size={size}
      leftSection={outcome === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
      onClick={copy}
      onBlur={() => setOutcome('none')}
    >
      <span aria-live="polite">{labels[outcome]}</span>
    </Button>
  );
}

/** False if the browser forbids it: the clipboard exists only over HTTPS and on localhost. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
