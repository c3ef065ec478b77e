import { List, Text } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../api/records.ts';
import { useRotateSecret } from '../api/webhook-actions.ts';
import { useShowSecret } from '../form/kept-secret.tsx';
import { SecretDialog } from '../form/secret-dialog.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { webhookDialogTexts } from './webhook-texts.ts';

interface RotateDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Creates a new secret. Requests are also signed with the old one for a day. */
export function RotateDialog({ webhook, onClose }: RotateDialogProps) {
  // As it was when the question was asked, whatever another user has changed since.
  const [asked] = useState(webhook);
  const rotate = useRotateSecret(asked);
  const showSecret = useShowSecret();
  async function rotateSecret(): Promise<void> {
    const { rotated: title, rotatedAdvice: note } = webhookDialogTexts;
    await showSecret(async () => ({ title, ...(await rotate.mutateAsync()), webhook, note }), SecretDialog);
    onClose();
  }
  return (
    <ConfirmDialog
      title={webhookDialogTexts.rotateQuestion}
      confirmLabel={webhookDialogTexts.rotateConfirm}
      action={rotate}
      onConfirm={rotateSecret}
      onClose={onClose}
    >
      <Text size="sm">{webhookDialogTexts.rotateReason}</Text>
      <List size="sm" type="ordered">
        <List.Item>{webhookDialogTexts.rotateStep1}</List.Item>
        <List.Item>{webhookDialogTexts.rotateStep2}</List.Item>
        <List.Item>{webhookDialogTexts.rotateStep3}</List.Item>
      </List>
    </ConfirmDialog>
  );
}
