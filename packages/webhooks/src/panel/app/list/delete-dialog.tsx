import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../api/records.ts';
import { useDeleteWebhook } from '../api/webhook-actions.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { listTexts } from './list-texts.ts';

interface DeleteDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before a webhook and its history are deleted. */
export function DeleteDialog({ webhook: present, onClose, onDeleted }: DeleteDialogProps) {
  const announce = useAnnounce();
  // As it was when the question was asked, whatever another user has changed since.
  const [webhook] = useState(present);
  const remove = useDeleteWebhook(webhook);
  async function confirm(): Promise<void> {
    // Not a mutation callback, which is dropped if a read that finds the webhook gone unmounts the
    // dialog first.
    await remove.mutateAsync();
    onDeleted();
    announce(fill(listTexts.deleted, { url: webhook.url }));
  }
  return (
    <ConfirmDialog
      title={listTexts.deleteQuestion}
      confirmLabel={listTexts.deleteWebhook}
      isDangerous
      action={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text className="long-text" fw={600}>
        <VisibleText text={webhook.url} />
      </Text>
      <Text size="sm">{listTexts.deleteAdvice}</Text>
    </ConfirmDialog>
  );
}
