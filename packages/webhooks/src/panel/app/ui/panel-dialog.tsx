import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

interface PanelDialogProps extends Omit<ModalProps, 'opened' | 'returnFocus'> {
  /** No slip closes it: neither Escape, nor a click outside, nor a cross. */
  readonly isHeldOpen?: boolean;
}

/** What had the focus before the first of the dialogs that follow one another. */
let opener: Element | null = null;

/**
 * A dialog that is open while it is there. When it goes, the focus returns to where it was; to the page where that is
 * gone, too. One that follows another returns it to where it was before both.
 */
export function PanelDialog({ isHeldOpen = false, ...props }: PanelDialogProps) {
  const [before] = useState(() => {
    const active = document.activeElement;
    if (active !== document.body && !active?.closest('[role="dialog"]')) opener = active;
    return opener;
  });
  useEffect(
    () => () => {
      // After the trap of the dialog has let go.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]') !== null) return;
        const target = before?.isConnected ? before : document.querySelector('main');
        if (target instanceof HTMLElement) target.focus({ preventScroll: true });
      });
    },
    [before],
  );
  const held = { withCloseButton: false, closeOnEscape: false, closeOnClickOutside: false };
  return <Modal {...props} {...(isHeldOpen ? held : {})} opened returnFocus={false} />;
}
