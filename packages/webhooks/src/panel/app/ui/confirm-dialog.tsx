import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PanelDialog } from './panel-dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { uiTexts } from './ui-texts.ts';

interface DialogButtonsProps {
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly className?: string;
  readonly onClose: () => void;
  /** Default: submits the form around it. */
  readonly onConfirm?: () => void;
}

/** The end of a dialog: leaves it, or does what it is for. */
export function DialogButtons(props: DialogButtonsProps) {
  const {
    confirmLabel,
    isDangerous = false,
    isBusy,
    isDisabled = false,
    className,
    onClose,
    onConfirm,
  } = props;
  return (
    <Group justify="flex-end" className={className}>
      <Button variant="default" disabled={isBusy} onClick={onClose}>
        {uiTexts.cancel}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        {...(isDangerous ? { color: 'red' } : {})}
        loading={isBusy}
        disabled={isDisabled}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
    </Group>
  );
}

interface ConfirmDialogProps extends Pick<DialogButtonsProps, 'confirmLabel' | 'isDangerous' | 'onClose'> {
  readonly title: string;
  readonly action: { readonly isPending: boolean; readonly error: unknown };
  /** A rejection is that of the action. */
  readonly onConfirm: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** Asks before an irreversible action, and stays open while the action runs. */
export function ConfirmDialog({ title, action, onConfirm, children, ...buttons }: ConfirmDialogProps) {
  const { isPending, error } = action;
  return (
    <PanelDialog onClose={buttons.onClose} title={title} centered isDismissible={!isPending}>
      <Stack>
        {children}
        <ProblemAlert title={uiTexts.notDone} lostTitle={uiTexts.maybeDone} error={error} />
        <DialogButtons
          {...buttons}
          isBusy={isPending}
          onConfirm={() => void onConfirm().catch(() => undefined)}
        />
      </Stack>
    </PanelDialog>
  );
}
