import { ActionIcon, Button, Group, Popover, Stack } from '@mantine/core';
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { ListedWebhook } from '../api/records.ts';
import { useTestWebhook, useUpdateWebhook } from '../api/webhook-actions.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { listTexts } from './list-texts.ts';

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
    const text = fill(listTexts.testSent, { url });
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
        aria-label={fill(listTexts.testLabel, { url })}
        loading={test.isPending}
        onClick={sendTest}
      >
        {listTexts.test}
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
    const text = fill(isActive ? listTexts.paused : listTexts.activated, { url });
    update.mutate(
      { is_active: !isActive },
      {
        onSuccess: () => announce({ kind: 'good', text }),
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
          aria-label={fill(listTexts.moreActions, { url })}
          aria-expanded={isOpen}
          loading={update.isPending}
          onClick={() => setOpen(!isOpen)}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Stack gap={0} miw={120} onKeyDown={moveFocus}>
          <Button
            {...ACTION}
            leftSection={isActive ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
            aria-label={fill(isActive ? listTexts.pauseLabel : listTexts.activateLabel, { url })}
            onClick={closing(toggle)}
          >
            {isActive ? listTexts.pause : listTexts.activate}
          </Button>
          <Button
            {...ACTION}
            leftSection={<IconPencil size={16} />}
            aria-label={fill(listTexts.editLabel, { url })}
            onClick={closing(onEdit)}
          >
            {listTexts.edit}
          </Button>
          <Button
            {...ACTION}
            className="danger"
            leftSection={<IconTrash size={16} />}
            aria-label={fill(listTexts.deleteLabel, { url })}
            onClick={closing(onDelete)}
          >
            {listTexts.delete}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Moves the focus in a column of buttons by the keys that a menu has. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.findIndex((one) => one.matches(':focus'));
  const places: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  };
  const next = places[event.key];
  if (next === undefined) return;
  // The page would scroll, which closes the menu.
  event.preventDefault();
  buttons.at(next % buttons.length)?.focus();
}

const ACTION = { variant: 'subtle', color: 'gray', size: 'xs', justify: 'flex-start' } as const;
