import { Popover, Stack, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../words/webhook-words.ts';

interface PatternCountProps {
  readonly patterns: readonly string[];
  /** Whose they are, for screen readers. */
  readonly url: string;
}

/** How many patterns a webhook has; which, while the pointer is there, or from one press to the next. */
export function PatternCount({ patterns, url }: PatternCountProps) {
  const [isPinned, setPinned] = useState(false);
  const [isPointedAt, setPointedAt] = useState(false);
  const isOpen = isPinned || isPointedAt;
  const close = () => {
    setPinned(false);
    setPointedAt(false);
  };
  const words = patterns.includes('*') ? 'All events' : countOf(patterns.length, 'pattern');
  return (
    // One area to point at: the way from the number to the list, which lies inside it, closes nothing.
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing is a shortcut to what the button inside does.
    <div
      className="pattern-area"
      onPointerEnter={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
      onPointerLeave={() => setPointedAt(false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setPinned(false);
      }}
    >
      <Popover
        opened={isOpen}
        onChange={close}
        position="bottom-start"
        shadow="md"
        offset={0}
        withRoles={false}
        withinPortal={false}
      >
        <Popover.Target>
          <UnstyledButton
            className="pattern-count"
            aria-expanded={isOpen}
            aria-label={`${words} of ${url}`}
            onClick={() => (isPinned ? close() : setPinned(true))}
          >
            {words}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={0}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <section className="pattern-list" aria-label={`Patterns of ${url}`} tabIndex={0}>
            <Stack gap={4} component="ul" m={0} p="sm">
              {patterns.map((pattern) => (
                <li key={pattern} className="event-name">
                  {pattern === '*' ? '* (every event)' : pattern}
                </li>
              ))}
            </Stack>
          </section>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
