import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../api/records.ts';
import { useEndPreviousSecret } from '../api/webhook-actions.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { webhookDialogTexts, webhookTexts } from './webhook-texts.ts';

interface EndSecretDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Asks before the overlap of a rotation ends: recipients may still use the old secret. */
export function EndSecretDialog({ webhook, onClose }: EndSecretDialogProps) {
  const announce = useAnnounce();
  // A rotation while the dialog is open makes another secret the previous one: it is then refused.
  const [asked] = useState(webhook);
  const end = useEndPreviousSecret(asked);
  async function confirm(): Promise<void> {
    await end.mutateAsync();
    onClose();
    announce(webhookTexts.overlapEnded);
  }
  return (
    <ConfirmDialog
      title={webhookDialogTexts.endSecretQuestion}
      confirmLabel={webhookDialogTexts.endSecretConfirm}
      isDangerous
      action={end}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text className="long-text" fw={600}>
        <VisibleText text={webhook.url} />
      </Text>
      <Text size="sm">{webhookDialogTexts.endSecretAdvice}</Text>
    </ConfirmDialog>
  );
}
