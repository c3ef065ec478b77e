import { NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useKnownEvents } from '../../api/webhook-queries.ts';
import { STATUS_LABELS } from '../../messages/webhook-text.ts';

export interface HistoryFilterValues {
  readonly status: string;
  /** The full name of an event. */
  readonly event: string;
}

interface HistoryFiltersProps {
  readonly values: HistoryFilterValues;
  readonly onChange: (values: HistoryFilterValues) => void;
}

export const MAX_EVENT_LENGTH = 128;

/** Filters the history by status and event. */
export function HistoryFilters({ values, onChange }: HistoryFiltersProps) {
  const listId = useId();
  const known = useKnownEvents();
  const [event, setEvent] = useState(values.event);
  const [applied, setApplied] = useState(values.event);
  function apply(name: string): void {
    if (name === values.event) return;
    setApplied(name);
    onChange({ ...values, event: name });
  }
  if (values.event !== applied) {
    setApplied(values.event);
    setEvent(values.event);
  }
  return (
    <search className="filters history-filters" aria-label="Filter the history">
      <NativeSelect
        label="Status"
        value={values.status}
        onChange={({ currentTarget }) => onChange({ ...values, status: currentTarget.value })}
        data={[
          { value: '', label: 'All' },
          ...Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label })),
        ]}
      />
      <TextInput
        label="Event, by its full name"
        className="filter-search"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_EVENT_LENGTH}
        value={event}
        onChange={({ currentTarget }) => {
          setEvent(currentTarget.value);
          const name = currentTarget.value.trim();
          // A part of a name would find nothing: other names apply once the field is left.
          if (name === '' || known.data?.some((one) => one.name === name)) apply(name);
        }}
        onBlur={() => apply(event.trim())}
        onKeyDown={({ key }) => key === 'Enter' && apply(event.trim())}
      />
      <datalist id={listId}>
        {known.data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </search>
  );
}
