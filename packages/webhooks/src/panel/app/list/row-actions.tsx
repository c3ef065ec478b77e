import { Box, Button, Group } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import type { ListedWebhook } from '../api/records.ts';
import { useTestWebhook, useUpdateWebhook } from '../api/webhook-actions.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { listTexts } from './list-texts.ts';

const RowMenu = lazyComponent(
  async () => (await import('../table/row-menu.tsx')).RowMenu,
  <Box w={26} h={26} />,
);

interface RowActionsProps {
  readonly webhook: ListedWebhook;
  readonly onEdit: (webhook: ListedWebhook) => void;
  readonly onDelete: (webhook: ListedWebhook) => void;
}

/**
 * The actions of a row: the most frequent one beside it where there is room, the others in a menu.
 */
export function RowActions({ webhook, onEdit, onDelete }: RowActionsProps) {
  const { id, url, is_active: isActive } = webhook;
  const announce = useAnnounce();
  const test = useTestWebhook(id);
  const update = useUpdateWebhook(id);
  const outcome = (text: string) => ({
    onSuccess: () => announce(fill(text, { url })),
    onError: (error: Error) => announce(error),
  });
  const testing = {
    text: listTexts.test,
    label: fill(listTexts.testLabel, { url }),
    act: () => test.mutate(undefined, outcome(listTexts.testSent)),
  };
  const toggled = isActive ? 'paused' : 'activated';
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button
        className="where-wide"
        variant="default"
        size="compact-sm"
        aria-label={testing.label}
        loading={test.isPending}
        onClick={testing.act}
      >
        {testing.text}
      </Button>
      <RowMenu
        label={fill(listTexts.moreActions, { url })}
        isBusy={update.isPending}
        actions={[
          {
            text: isActive ? listTexts.pause : listTexts.activate,
            label: fill(isActive ? listTexts.pauseLabel : listTexts.activateLabel, { url }),
            icon: isActive ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            act: () => update.mutate({ is_active: !isActive }, outcome(listTexts[toggled])),
          },
          { ...testing, icon: <IconSend size={16} />, className: 'where-narrow' },
          {
            text: listTexts.edit,
            label: fill(listTexts.editLabel, { url }),
            icon: <IconPencil size={16} />,
            act: () => onEdit(webhook),
          },
          {
            text: listTexts.delete,
            label: fill(listTexts.deleteLabel, { url }),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            act: () => onDelete(webhook),
          },
        ]}
      />
    </Group>
  );
}
