import { Popover, Stack, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { countOf } from '../words/webhook-words.ts';

interface PatternCountProps {
  readonly patterns: readonly string[];
  /** Whose they are, for screen readers. */
  readonly url: string;
}

/** How many patterns a webhook has; which, on hover, focus or press. */
export function PatternCount({ patterns, url }: PatternCountProps) {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  const words = patterns.includes('*') ? 'All events' : countOf(patterns.length, 'pattern');
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-start"
      shadow="md"
      withRoles={false}
      withinPortal={false}
    >
      <Popover.Target>
        <UnstyledButton
          className="pattern-count"
          aria-expanded={isOpen}
          aria-label={`${words} of ${url}`}
          onMouseEnter={open}
          onMouseLeave={close}
          onClick={toggle}
          onBlur={close}
        >
          {words}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className="pattern-list">
        <Stack gap={4} component="ul" m={0} p={0}>
          {patterns.map((pattern) => (
            <li key={pattern} className="event-name">
              {pattern === '*' ? '* (every event)' : pattern}
            </li>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
