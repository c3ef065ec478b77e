import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { uiTexts } from './ui-texts.ts';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly variant?: 'default' | 'filled';
  readonly size?: 'sm' | 'compact-sm';
}

/** The longest time of a timer: the outcome is shown until the button is left. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Copies a text, and shows whether that worked: the clipboard exists only over HTTPS and on
 * localhost.
 */
export function CopyButton({ text, label, variant = 'default', size = 'sm' }: CopyButtonProps) {
  const { copy, copied, error, reset } = useClipboard({ timeout: MAX_TIMER_MS });
  const isCopied = copied && error === null;
  const outcome = isCopied ? uiTexts.copied : label;
  return (
    <Button
      variant={variant}
      size={size}
      leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      onClick={() => copy(text)}
      onBlur={reset}
    >
      <span aria-live="polite">{error ? uiTexts.copyManually : outcome}</span>
    </Button>
  );
}
