import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { deliveryIdOf } from '../api/delivery-id.ts';
import { EventFilter } from '../detail/history/event-filter.tsx';
import { StatusFilter } from '../detail/history/status-filter.tsx';
import { localInputValue } from '../detail/local-input-value.ts';
import { failureTitles } from '../messages/failure-texts.ts';
import { uiTexts } from '../ui/ui-texts.ts';
import { deliveriesTexts } from './deliveries-texts.ts';
import {
  type DeliveriesView,
  httpStatusOf,
  MAX_ID_TEXT_LENGTH,
  RECENT_MS,
  rangeOf,
} from './deliveries-view.ts';

interface FilterProps {
  readonly view: DeliveriesView;
}

/**
 * What a failure is called, by its error code; those of an HTTP status have a filter of their own.
 */
const ERRORS = Object.entries(failureTitles).filter(([code]) => code !== 'http');

const RANGES = [
  { value: '', label: deliveriesTexts.anyTime },
  { value: 'hour', label: deliveriesTexts.lastHour },
  { value: 'day', label: deliveriesTexts.lastDay },
  { value: 'week', label: deliveriesTexts.lastWeek },
  { value: 'custom', label: deliveriesTexts.customRange },
];

/** Finds one delivery by its id, or filters all of them. */
export function DeliveriesFilters({ view }: FilterProps) {
  const { filters, narrow } = view;
  return (
    <Group component="search" gap="sm" align="flex-start" aria-label={deliveriesTexts.filter}>
      <CheckedInput
        label={deliveriesTexts.id}
        flex="1 1 240px"
        value={filters.id}
        read={deliveryIdOf}
        isAppliedMalformed
        problem={deliveriesTexts.idMalformed}
        onChange={view.find}
      />
      <StatusFilter value={filters.status} onChange={(status) => narrow({ status })} />
      <EventFilter value={filters.event} onChange={(event) => narrow({ event })} />
      <NativeSelect
        label={deliveriesTexts.error}
        maw={180}
        value={filters.error}
        onChange={({ currentTarget }) => narrow({ error: currentTarget.value })}
        data={[
          { value: '', label: uiTexts.all },
          ...ERRORS.map(([value, label]) => ({ value, label })),
          ...(filters.error === '' || Object.hasOwn(failureTitles, filters.error) ? [] : [filters.error]),
        ]}
      />
      <CheckedInput
        label={deliveriesTexts.httpStatus}
        w={110}
        value={filters.http}
        read={(text) => httpStatusOf(text)?.toString() ?? null}
        problem={deliveriesTexts.httpStatusMalformed}
        onChange={(http) => narrow({ http })}
      />
      <NativeSelect
        label={deliveriesTexts.created}
        value={filters.range}
        onChange={({ currentTarget }) => {
          const range = rangeOf(currentTarget.value);
          const dayAgo = new Date(Date.now() - RECENT_MS.day).toISOString();
          narrow({ range, from: range === 'custom' ? dayAgo : '', to: '' });
        }}
        data={RANGES}
      />
      {filters.range === 'custom' && (
        <>
          <TimeInput
            label={deliveriesTexts.from}
            value={filters.from}
            onChange={(from) => narrow({ from })}
          />
          <TimeInput label={deliveriesTexts.to} value={filters.to} onChange={(to) => narrow({ to })} />
        </>
      )}
    </Group>
  );
}

interface CheckedInputProps {
  readonly label: string;
  readonly flex?: string;
  readonly w?: number;
  readonly value: string;
  /** The value in a text; null if it is malformed. */
  readonly read: (text: string) => string | null;
  readonly problem: string;
  /** Whether a malformed text applies as well once the field is left. Default: false. */
  readonly isAppliedMalformed?: boolean;
  readonly onChange: (value: string) => void;
}

/** A filter that applies as soon as its text is complete, and complains once the field is left. */
function CheckedInput(props: CheckedInputProps) {
  const { value, read, problem, isAppliedMalformed = false, onChange, ...field } = props;
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const [isLeft, setLeft] = useState(false);
  // It was cleared elsewhere, or by going back: the field follows the address.
  if (value !== applied) {
    setApplied(value);
    setText(value);
  }
  const isWrong = text.trim() !== '' && read(text.trim()) === null;

  function apply(next: string | null): void {
    if (next === null || next === value) return;
    setApplied(next);
    onChange(next);
  }

  function leave(): void {
    setLeft(true);
    if (isWrong && isAppliedMalformed) apply(text.trim());
  }

  return (
    <TextInput
      {...field}
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_ID_TEXT_LENGTH}
      value={text}
      error={isLeft && isWrong ? problem : null}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        setLeft(false);
        const typed = currentTarget.value.trim();
        apply(typed === '' ? '' : read(typed));
      }}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
    />
  );
}

interface TimeInputProps {
  readonly label: string;
  /** As ISO 8601; '' for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TimeInput({ label, value, onChange }: TimeInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === '' ? '' : localInputValue(new Date(value))}
      onChange={({ currentTarget }) => {
        const time = Date.parse(currentTarget.value);
        onChange(Number.isNaN(time) ? '' : new Date(time).toISOString());
      }}
    />
  );
}
