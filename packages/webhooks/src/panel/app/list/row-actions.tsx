import { ActionIcon, Button, Group, Popover, Stack } from '@mantine/core';
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { ListedWebhook } from '../api/records.ts';
import { useTestWebhook, useUpdateWebhook } from '../api/webhook-actions.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { useAnnounce } from '../ui/announcements.tsx';

export interface RowActionsProps {
  readonly webhook: ListedWebhook;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** The actions of a row: the most frequent one beside it, the others behind a button. */
export function RowActions(props: RowActionsProps) {
  const { id, url } = props.webhook;
  const announce = useAnnounce();
  const test = useTestWebhook(id);
  function sendTest(): void {
    const text = `A test event is on its way to ${url}. The result appears under “Last delivery”.`;
    test.mutate(undefined, {
      onSuccess: () => announce({ kind: 'good', text }),
      onError: (error) => announce({ kind: 'bad', text: problemMessage(error) }),
    });
  }
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconSend size={14} />}
        aria-label={`Send test event to ${url}`}
        loading={test.isPending}
        onClick={sendTest}
      >
        Test
      </Button>
      <MoreActions {...props} />
    </Group>
  );
}

function MoreActions({ webhook, onEdit, onDelete }: RowActionsProps) {
  const { id, url, is_active: isActive } = webhook;
  const announce = useAnnounce();
  const update = useUpdateWebhook(id);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  function toggle(): void {
    const state = isActive ? 'is paused and receives no events' : 'is active';
    update.mutate(
      { is_active: !isActive },
      {
        onSuccess: () => announce({ kind: 'good', text: `${url} ${state}.` }),
        onError: (error) => announce({ kind: 'bad', text: problemMessage(error) }),
      },
    );
  }

  // The buttons disappear with the click: a dialog that it opens returns the focus to the opener.
  const closing = (act: () => void) => () => {
    opener.current?.focus();
    setOpen(false);
    act();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      withRoles={false}
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          ref={opener}
          variant="default"
          size={26}
          aria-label={`More actions for ${url}`}
          aria-expanded={isOpen}
          loading={update.isPending}
          onClick={() => setOpen(!isOpen)}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Stack gap={0} className="more-actions">
          <Button
            {...ACTION}
            leftSection={isActive ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
            aria-label={`${isActive ? 'Pause' : 'Activate'} ${url}`}
            onClick={closing(toggle)}
          >
            {isActive ? 'Pause' : 'Activate'}
          </Button>
          <Button
            {...ACTION}
            leftSection={<IconPencil size={16} />}
            aria-label={`Edit ${url}`}
            onClick={closing(onEdit)}
          >
            Edit
          </Button>
          <Button
            {...ACTION}
            className="danger"
            leftSection={<IconTrash size={16} />}
            aria-label={`Delete ${url}`}
            onClick={closing(onDelete)}
          >
            Delete
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const ACTION = { variant: 'subtle', color: 'gray', size: 'xs', justify: 'flex-start' } as const;
