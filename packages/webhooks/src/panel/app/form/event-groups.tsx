import { Box, Checkbox, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { matchesPattern } from '../../../events/pattern.ts';
import type { KnownEvent } from '../api/records.ts';
import type { useKnownEvents } from '../api/webhook-queries.ts';
import { foundEvents } from '../catalog/found-events.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { Unread } from '../ui/problem-alert.tsx';
import { eventTexts } from './event-texts.ts';

interface ChoiceProps {
  readonly patterns: readonly string[];
  readonly onChange: (patterns: readonly string[]) => void;
}

interface EventGroupsProps extends ChoiceProps {
  readonly known: ReturnType<typeof useKnownEvents>;
}

/** The known events, grouped by entity, each group with its wildcard. */
export function EventGroups({ known, ...choice }: EventGroupsProps) {
  const [filter, setFilter] = useState('');
  if (known.data === undefined) {
    return (
      <Unread read={known} problem={eventTexts.notLoaded}>
        <Skeleton height={180} aria-label={eventTexts.loading} />
      </Unread>
    );
  }
  const groups = foundEvents(known.data, filter);
  return (
    <Stack gap="xs">
      <TextInput
        label={eventTexts.find}
        type="search"
        value={filter}
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      <Stack gap="sm" className="event-groups" mah={300} p="sm" bd="1px solid var(--panel-border)" bdrs="md">
        {groups.map(([entity, members]) => (
          <EventGroup key={entity} entity={entity} members={members} {...choice} />
        ))}
        {groups.length === 0 && (
          <Text size="sm" c="dimmed">
            {eventTexts.notFound}
          </Text>
        )}
      </Stack>
    </Stack>
  );
}

interface EventGroupProps extends ChoiceProps {
  readonly entity: string;
  readonly members: readonly KnownEvent[];
}

function EventGroup({ entity, members, patterns, onChange }: EventGroupProps) {
  const wildcard = `${entity}.*`;
  /** Adds a pattern in place of those that it covers, or removes it. */
  const toggle = (pattern: string) =>
    onChange(
      patterns.includes(pattern)
        ? patterns.filter((other) => other !== pattern)
        : [...patterns.filter((other) => !matchesPattern(pattern, other)), pattern],
    );
  return (
    <Box component="fieldset" miw={0} m={0} p={0} bd="none">
      <Box component="legend" p={0}>
        <Checkbox
          label={fillNodes(eventTexts.group, {
            entity: <strong>{entity}</strong>,
            pattern: <span className="event-name">{wildcard}</span>,
          })}
          checked={patterns.includes(wildcard)}
          onChange={() => toggle(wildcard)}
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
            onChange={() => toggle(name)}
          />
        ))}
      </div>
    </Box>
  );
}
