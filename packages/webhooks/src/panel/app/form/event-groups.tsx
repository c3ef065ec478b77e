import { Box, Checkbox, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { matchesPattern } from '../../../events/pattern.ts';
import type { KnownEvent } from '../api/records.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { wildcardOf } from './event-pattern.ts';
import { eventTexts } from './event-texts.ts';

interface EventGroupsProps {
  readonly events: readonly KnownEvent[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly patterns: readonly string[];
  readonly onAdd: (pattern: string) => void;
  readonly onRemove: (pattern: string) => void;
  readonly onReplace: (patterns: readonly string[]) => void;
}

/** The known events, grouped by entity, each group with its wildcard. */
export function EventGroups(props: EventGroupsProps) {
  const [filter, setFilter] = useState('');
  const { events, isLoading, error, onRetry } = props;
  if (isLoading) return <Skeleton height={180} aria-label={eventTexts.loading} />;
  if (error) return <ProblemAlert title={eventTexts.notLoaded} error={error} onRetry={onRetry} />;
  const wanted = filter.trim().toLowerCase();
  const shown = events.filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted));
  const wildcards = [...new Set(shown.map(({ name }) => wildcardOf(name)))];
  return (
    <Stack gap="xs">
      <TextInput
        label={eventTexts.find}
        type="search"
        value={filter}
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      <Stack gap="sm" className="event-groups" mah={300} p="sm" bd="1px solid var(--panel-border)" bdrs="md">
        {wildcards.map((wildcard) => (
          <EventGroup
            key={wildcard}
            {...props}
            wildcard={wildcard}
            members={shown.filter(({ name }) => wildcardOf(name) === wildcard)}
          />
        ))}
        {shown.length === 0 && (
          <Text size="sm" c="dimmed">
            {eventTexts.notFound}
          </Text>
        )}
      </Stack>
    </Stack>
  );
}

interface EventGroupProps extends Pick<EventGroupsProps, 'patterns' | 'onAdd' | 'onRemove' | 'onReplace'> {
  readonly wildcard: string;
  readonly members: readonly KnownEvent[];
}

function EventGroup({ wildcard, members, patterns, onAdd, onRemove, onReplace }: EventGroupProps) {
  const isWhole = patterns.includes(wildcard);
  const entity = wildcard.slice(0, -2);
  return (
    <Box component="fieldset" miw={0} m={0} p={0} bd="none">
      <Box component="legend" p={0}>
        <Checkbox
          label={fillNodes(eventTexts.group, {
            entity: <strong>{entity}</strong>,
            pattern: <span className="event-name">{wildcard}</span>,
          })}
          checked={isWhole}
          // The wildcard replaces the single events of its group.
          onChange={() =>
            isWhole
              ? onRemove(wildcard)
              : onReplace([...patterns.filter((pattern) => !matchesPattern(wildcard, pattern)), wildcard])
          }
        />
      </Box>
      <div className="event-group-members">
        {members.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={
              <>
                {label}{' '}
                <Box component="span" display="block" className="event-name">
                  {name}
                </Box>
              </>
            }
            checked={patterns.some((pattern) => matchesPattern(pattern, name))}
            disabled={patterns.some((pattern) => pattern !== name && matchesPattern(pattern, name))}
            onChange={() => (patterns.includes(name) ? onRemove(name) : onAdd(name))}
          />
        ))}
      </div>
    </Box>
  );
}
