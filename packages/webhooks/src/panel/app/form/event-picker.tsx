import { Radio, Stack, Text } from '@mantine/core';
import { useId, useRef } from 'react';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { fill } from '../texts/host-texts.ts';
import { PatternPills } from '../ui/pattern-pills.tsx';
import { CustomPattern } from './custom-pattern.tsx';
import { EventGroups } from './event-groups.tsx';
import { eventTexts } from './event-texts.ts';
import type { WebhookFieldsProps } from './webhook-input.ts';

/** Chooses the events of a webhook: all, or some by name, by wildcard or by custom pattern. */
export function EventPicker({ draft, problems: { events: error }, onChange }: WebhookFieldsProps) {
  const { events: patterns, pattern: typed } = draft;
  const errorId = useId();
  const known = useKnownEvents();
  const isAll = patterns.includes('*');
  // Restores the choice when the user switches to "all" and back.
  const chosen = useRef<readonly string[]>([]);
  const replace = (events: readonly string[]) => onChange({ events });
  const remove = (pattern: string) => replace(patterns.filter((other) => other !== pattern));

  function choose(value: string): void {
    if (!isAll) chosen.current = patterns;
    replace(value === 'all' ? ['*'] : chosen.current);
  }

  return (
    <Stack gap="sm">
      <Radio.Group
        label={eventTexts.events}
        description={eventTexts.eventsAdvice}
        value={isAll ? 'all' : 'some'}
        onChange={choose}
        aria-describedby={error === null ? undefined : errorId}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={eventTexts.all} />
          <Radio value="some" label={eventTexts.some} aria-invalid={error !== null} />
        </Stack>
      </Radio.Group>
      {error !== null && (
        <Text id={errorId} size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {!isAll && (
        <Stack
          className="frame"
          gap="sm"
          ps="sm"
          style={{ borderInlineStart: '3px solid var(--panel-border)' }}
        >
          <Text size="sm" component="p" aria-live="polite">
            {patterns.length === 0
              ? eventTexts.nothingChosen
              : fill(eventTexts.chosen, { count: patterns.length })}
          </Text>
          {patterns.length > 0 && (
            <PatternPills
              patterns={patterns}
              removal={{ label: (pattern) => fill(eventTexts.remove, { pattern }), remove }}
            />
          )}
          <EventGroups known={known} patterns={patterns} onChange={replace} />
          <CustomPattern
            text={typed}
            onText={(pattern) => onChange({ pattern })}
            patterns={patterns}
            known={known.data ?? []}
            onAdd={(pattern) => onChange({ events: [...patterns, pattern], pattern: '' })}
          />
        </Stack>
      )}
    </Stack>
  );
}
