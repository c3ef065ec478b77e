import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRestoredFocus } from '../page/restored-focus.ts';

interface PanelDialogProps extends Omit<ModalProps, 'opened' | 'returnFocus'> {
  /** Whether Escape, a click outside and a close button close it. Default: true. */
  readonly isDismissible?: boolean;
}

/** The header of a dialog is no banner of the page. */
export const DIALOG_ATTRIBUTES = { header: { role: 'none' } };

/** The element that had the focus before the first of several successive dialogs. */
let opener: Element | null = null;

/**
 * Returns the focus, when a dialog closes, to the element that had it, or to the page if that is
 * gone. A dialog that follows another returns it to the element from before both.
 *
 * @param other an element to return it to instead, if there is one by then
 */
export function useReturnedFocus(other: () => Element | undefined = () => undefined): void {
  const [before] = useState(() => {
    const active = document.activeElement;
    if (active !== document.body && !active?.closest('[role="dialog"]')) opener = active;
    return opener;
  });
  const instead = useEffectEvent(other);
  useEffect(
    () => () => {
      // After the dialog has released its focus trap.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]') !== null) return;
        const target = instead() ?? (before?.isConnected ? before : document.querySelector('main'));
        if (target instanceof HTMLElement) target.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

/** A dialog that is open while it is mounted. On closing it returns the focus. */
export function PanelDialog({ isDismissible = true, children, ...props }: PanelDialogProps) {
  useReturnedFocus();
  const locked = { withCloseButton: false, closeOnEscape: false, closeOnClickOutside: false };
  return (
    <Modal
      {...props}
      {...(isDismissible ? {} : locked)}
      opened
      returnFocus={false}
      attributes={DIALOG_ATTRIBUTES}
    >
      <DialogContent>{children}</DialogContent>
    </Modal>
  );
}

/** Mounted later than the dialog, which renders elsewhere in the document. */
export function DialogContent({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useRestoredFocus(root);
  return (
    <div ref={root} tabIndex={-1} data-focus-home>
      {children}
    </div>
  );
}
