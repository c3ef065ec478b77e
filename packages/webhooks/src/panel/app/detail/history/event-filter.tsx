import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useKnownEvents } from '../../api/webhook-queries.ts';
import { fill } from '../../texts/host-texts.ts';
import { historyTexts } from './history-texts.ts';

interface EventFilterProps {
  /** The full name of an event; '' for all. */
  readonly value: string;
  readonly onChange: (event: string) => void;
}

export const MAX_EVENT_LENGTH = 128;

/** Filters deliveries by their event. */
export function EventFilter({ value, onChange }: EventFilterProps) {
  const listId = useId();
  const known = useKnownEvents();
  const [event, setEvent] = useState(value);
  const [applied, setApplied] = useState(value);
  function apply(name: string): void {
    if (name === value) return;
    setApplied(name);
    onChange(name);
  }
  if (value !== applied) {
    setApplied(value);
    setEvent(value);
  }
  const isApplied = event.trim() === value;
  return (
    <>
      <TextInput
        label={historyTexts.eventFilter}
        flex="1 1 240px"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_EVENT_LENGTH}
        value={event}
        inputWrapperOrder={['label', 'input', 'description']}
        description={isApplied ? null : fill(historyTexts.notApplied, { event: event.trim() })}
        onChange={({ currentTarget }) => {
          setEvent(currentTarget.value);
          const name = currentTarget.value.trim();
          // A part of a name would find nothing: any other name applies with Enter.
          if (name === '' || known.data?.some((one) => one.name === name)) apply(name);
        }}
        onKeyDown={({ key }) => key === 'Enter' && apply(event.trim())}
      />
      <datalist id={listId}>
        {known.data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
