import { List, Text } from '@mantine/core';
import type { Webhook } from '../api/records.ts';
import { useRotateSecret } from '../api/webhook-actions.ts';
import { useKeepSecret } from '../form/kept-secret.tsx';
import { SecretDialog } from '../form/secret-dialog.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface RotateDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

const OVERLAP_NOTE = 'The old secret stays valid for 24 hours: every request until then is signed with both.';

/** Creates a new secret. Requests are also signed with the old one for a day. */
export function RotateDialog({ webhook, onClose }: RotateDialogProps) {
  const rotate = useRotateSecret(webhook);
  const keepSecret = useKeepSecret();
  function confirm(): void {
    const answer = rotate.mutateAsync(undefined, { onSuccess: onClose });
    // The dialog shows `rotate.error`.
    keepSecret(
      answer.then(({ url, secret }) => ({ title: 'The new secret', url, secret, note: OVERLAP_NOTE })),
      SecretDialog,
    ).catch(() => undefined);
  }
  return (
    <ConfirmDialog
      title="Rotate the signing secret?"
      confirmLabel="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        Do this when the secret was lost or may have leaked. Deliveries are not interrupted:
      </Text>
      <List size="sm" type="ordered">
        <List.Item>You get a new secret, shown once.</List.Item>
        <List.Item>For 24 hours every request is signed with the old secret and the new one.</List.Item>
        <List.Item>
          Give the recipient the new one within that time. After that, the old one is no longer used.
        </List.Item>
      </List>
    </ConfirmDialog>
  );
}
