import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { isAnswerLost } from '../api/api-error.ts';
import { PanelDialog } from './panel-dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { uiTexts } from './ui-texts.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before an irreversible action, and stays open while the action runs. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, isDangerous = false, isBusy, error, onConfirm, onClose } = props;
  return (
    <PanelDialog onClose={onClose} title={title} centered isDismissible={!isBusy}>
      <Stack>
        {props.children}
        {error ? (
          <ProblemAlert title={isAnswerLost(error) ? uiTexts.maybeDone : uiTexts.notDone} error={error} />
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" disabled={isBusy} onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button {...(isDangerous ? { color: 'red' } : {})} loading={isBusy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </PanelDialog>
  );
}
