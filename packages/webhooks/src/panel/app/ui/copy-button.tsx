import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly variant?: 'default' | 'filled';
}

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label, variant = 'default' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  const copy = async () => setOutcome((await writeClipboard(text)) ? 'copied' : 'refused');
  const words = { none: label, copied: 'Copied', refused: 'Select it and copy by hand' };
  return (
    <Button
      variant={variant}
      size="sm"
      leftSection={outcome === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
      onClick={copy}
      onBlur={() => setOutcome('none')}
    >
      <span aria-live="polite">{words[outcome]}</span>
    </Button>
  );
}

/** The clipboard exists only over HTTPS and on this machine, and may be forbidden. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
