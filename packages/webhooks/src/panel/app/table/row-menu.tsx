import { ActionIcon, Button, Popover, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

export interface RowAction {
  /** What the button shows. */
  readonly text: string;
  /** What it is announced by, with the name of its row. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly isDangerous?: boolean;
  readonly className?: string;
  act(): void;
}

interface RowMenuProps {
  readonly label: string;
  readonly actions: readonly RowAction[];
  readonly isBusy: boolean;
}

/** The actions of a row, behind one button. */
export function RowMenu({ label, actions, isBusy }: RowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
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
          aria-label={label}
          aria-expanded={isOpen}
          loading={isBusy}
          onClick={() => setOpen(!isOpen)}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Stack gap={0} miw={120} onKeyDown={moveFocus}>
          {actions.map(({ text, label: name, icon, isDangerous, className, act }) => (
            <Button
              key={text}
              variant="subtle"
              color="gray"
              size="xs"
              justify="flex-start"
              className={isDangerous ? 'danger' : className}
              leftSection={icon}
              aria-label={name}
              onClick={() => {
                // The buttons disappear with the click: a dialog returns the focus to the opener.
                opener.current?.focus();
                setOpen(false);
                act();
              }}
            >
              {text}
            </Button>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Moves the focus in a column of buttons by the keys that a menu has. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll('button')];
  const buttons = all.filter((button) => button.checkVisibility());
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
