import { List, Text } from '@mantine/core';
import { useState } from 'react';
import { useRotateSecret } from '../api/webhook-actions.ts';
import { SecretDialog } from '../form/secret-dialog.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface RotateDialogProps {
  readonly webhookId: number;
  readonly onClose: () => void;
}

const OVERLAP_NOTE = 'The old secret stays valid for 24 hours: every request until then is signed with both.';

/** Makes a new secret; the old one signs too for a day. */
export function RotateDialog({ webhookId, onClose }: RotateDialogProps) {
  const rotate = useRotateSecret(webhookId);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    return <SecretDialog title="The new secret" secret={secret} note={OVERLAP_NOTE} onDone={onClose} />;
  }
  return (
    <ConfirmDialog
      title="Rotate the signing secret?"
      confirmLabel="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(undefined, { onSuccess: (webhook) => setSecret(webhook.secret) })}
      onClose={onClose}
    >
      <Text size="sm">
        Do this when the secret may have become known, or was lost. Nothing is interrupted:
      </Text>
      <List size="sm" type="ordered">
        <List.Item>You get a new secret, shown once.</List.Item>
        <List.Item>For 24 hours every request is signed with the old secret and the new one.</List.Item>
        <List.Item>
          Give the recipient the new one in that time. After that, the old one is worthless.
        </List.Item>
      </List>
    </ConfirmDialog>
  );
}
