import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open while it is there. When it goes, the focus returns to where it was; to the page where that is
 * gone, too.
 */
export function PanelDialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const target = before?.isConnected ? before : document.querySelector('main');
      // After the trap of the dialog has let go.
      if (target instanceof HTMLElement) setTimeout(() => target.focus({ preventScroll: true }));
    },
    [before],
  );
  return <Modal {...props} opened returnFocus={false} />;
}
