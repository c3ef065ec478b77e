import { Box, Popover, Stack, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { fill } from '../texts/host-texts.ts';
import { uiTexts } from '../ui/ui-texts.ts';
import { listTexts } from './list-texts.ts';

const SCROLLING = { overflow: 'auto' } as const;

interface PatternCountProps {
  readonly patterns: readonly string[];
  /** The URL of their webhook, for screen readers. */
  readonly url: string;
}

/**
 * The number of a webhook's patterns. Pointing at it shows them, and a click pins the list until
 * the next one.
 */
export function PatternCount({ patterns, url }: PatternCountProps) {
  const [isPinned, setPinned] = useState(false);
  const [isPointedAt, setPointedAt] = useState(false);
  const isOpen = isPinned || isPointedAt;
  const close = () => {
    setPinned(false);
    setPointedAt(false);
  };
  const label = patterns.includes('*')
    ? listTexts.allEvents
    : fill(listTexts.patterns, { count: patterns.length });
  const listLabel = fill(listTexts.patternListLabel, { url });
  return (
    // The list lies inside the area, so that moving the pointer from the number to the list does
    // not close it.
    <Box
      w="fit-content"
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
            fz="sm"
            aria-expanded={isOpen}
            aria-label={fill(listTexts.patternsLabel, { patterns: label, url })}
            onClick={() => (isPinned ? close() : setPinned(true))}
          >
            {label}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={0}>
          <Box
            component="section"
            className="pattern-list"
            mah={260}
            maw="min(340px, 90vw)"
            style={SCROLLING}
            aria-label={listLabel}
            tabIndex={0}
          >
            <Stack gap={4} component="ul" m={0} p="sm">
              {patterns.map((pattern) => (
                <li key={pattern} className="event-name">
                  {pattern === '*' ? uiTexts.everyEvent : pattern}
                </li>
              ))}
            </Stack>
          </Box>
        </Popover.Dropdown>
      </Popover>
    </Box>
  );
}
