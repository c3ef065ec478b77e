import { Group, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useId, useState } from 'react';
import { deliveryIdOf } from '../api/delivery-id.ts';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { historyTexts } from '../delivery/delivery-texts.ts';
import { localInputValue } from '../detail/local-input-value.ts';
import { failureTitles } from '../messages/failure-texts.ts';
import { STATUS_LABELS } from '../messages/webhook-text.ts';
import { fill } from '../texts/host-texts.ts';
import { uiTexts } from '../ui/ui-texts.ts';
import { deliveriesTexts } from './deliveries-texts.ts';
import {
  type DeliveriesView,
  httpStatusOf,
  MAX_EVENT_LENGTH,
  MAX_ID_TEXT_LENGTH,
  RECENT_MS,
  rangeOf,
} from './deliveries-view.ts';

const ALL = { value: '', label: uiTexts.all };
const STATUSES = [ALL, ...optionsOf(STATUS_LABELS)];
/**
 * What a failure is called, by its error code; those of an HTTP status have a filter of their own.
 */
const ERRORS = optionsOf(failureTitles).filter(({ value }) => value !== 'http');
const RANGES = [
  { value: '', label: deliveriesTexts.anyTime },
  { value: 'hour', label: deliveriesTexts.lastHour },
  { value: 'day', label: deliveriesTexts.lastDay },
  { value: 'week', label: deliveriesTexts.lastWeek },
  { value: 'custom', label: deliveriesTexts.customRange },
];

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

interface DeliveryFiltersProps {
  readonly label: string;
  readonly view: DeliveriesView;
  /** Whether the deliveries are of several webhooks: one is found by its id. Default: false. */
  readonly isAcross?: boolean;
}

/** Filters deliveries, or finds one. */
export function DeliveryFilters({ label, view, isAcross = false }: DeliveryFiltersProps) {
  const { filters, narrow } = view;
  const eventsId = useId();
  const events = useKnownEvents().data?.map(({ name }) => name) ?? [];
  return (
    <Group component="search" gap="sm" align="flex-start" mb="sm" aria-label={label}>
      {isAcross && (
        <CheckedInput
          label={deliveriesTexts.id}
          flex="1 1 240px"
          maxLength={MAX_ID_TEXT_LENGTH}
          value={filters.id}
          read={deliveryIdOf}
          isAppliedMalformed
          problem={deliveriesTexts.idMalformed}
          onApply={view.find}
        />
      )}
      <NativeSelect
        label={historyTexts.status}
        value={filters.status}
        onChange={({ currentTarget }) => narrow({ status: currentTarget.value })}
        data={STATUSES}
      />
      <CheckedInput
        label={historyTexts.eventFilter}
        flex="1 1 240px"
        maxLength={MAX_EVENT_LENGTH}
        list={eventsId}
        value={filters.event}
        // A part of a name would find nothing: any other name applies with Enter.
        read={(name) => (events.includes(name) ? name : null)}
        isAppliedMalformed
        hint={(name) => fill(historyTexts.notApplied, { event: name })}
        onApply={(event) => narrow({ event })}
      />
      <datalist id={eventsId}>
        {events.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isAcross && <ResultFilters view={view} />}
    </Group>
  );
}

/** Filters by what the deliveries of several webhooks have in common. */
function ResultFilters({ view: { filters, narrow } }: { readonly view: DeliveriesView }) {
  return (
    <>
      <NativeSelect
        label={deliveriesTexts.error}
        maw={180}
        value={filters.error}
        onChange={({ currentTarget }) => narrow({ error: currentTarget.value })}
        data={[
          ALL,
          ...ERRORS,
          ...(filters.error === '' || Object.hasOwn(failureTitles, filters.error) ? [] : [filters.error]),
        ]}
      />
      <CheckedInput
        label={deliveriesTexts.httpStatus}
        w={110}
        value={filters.http}
        read={(text) => httpStatusOf(text)?.toString() ?? null}
        problem={deliveriesTexts.httpStatusMalformed}
        onApply={(http) => narrow({ http })}
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
      {filters.range === 'custom' &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="datetime-local"
            label={deliveriesTexts[end]}
            value={filters[end] === '' ? '' : localInputValue(new Date(filters[end]))}
            onChange={({ currentTarget }) => {
              const time = Date.parse(currentTarget.value);
              narrow({ [end]: Number.isNaN(time) ? '' : new Date(time).toISOString() });
            }}
          />
        ))}
    </>
  );
}

interface CheckedInputProps extends Pick<TextInputProps, 'label' | 'flex' | 'w' | 'list' | 'maxLength'> {
  readonly value: string;
  /** The value in a text; null if it is none. */
  readonly read: (text: string) => string | null;
  /** What is wrong with a text that is no value, once the field is left. Default: nothing. */
  readonly problem?: string;
  /** What to say of a text that does not apply yet. Default: nothing. */
  readonly hint?: (text: string) => string;
  /**
   * Whether a text that is no value applies as well: by Enter, and if it is a problem when the
   * field is left. Default: false.
   */
  readonly isAppliedMalformed?: boolean;
  readonly onApply: (value: string) => void;
}

/** A filter that applies as soon as its text is complete. */
function CheckedInput(props: CheckedInputProps) {
  const { value, read, problem, hint, isAppliedMalformed = false, onApply, ...field } = props;
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const [isLeft, setLeft] = useState(false);
  // It was cleared elsewhere, or by going back: the field follows the address.
  if (value !== applied) {
    setApplied(value);
    setText(value);
  }
  const typed = text.trim();
  const isWrong = typed !== '' && read(typed) === null;

  function apply(next: string | null): void {
    if (next === null || next === value) return;
    setApplied(next);
    onApply(next);
  }

  function leave(isEnter: boolean): void {
    setLeft(true);
    if (isWrong && isAppliedMalformed && (isEnter || problem !== undefined)) apply(typed);
  }

  return (
    <TextInput
      {...field}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={isLeft && isWrong ? problem : null}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={hint && typed !== value ? hint(typed) : null}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        setLeft(false);
        const next = currentTarget.value.trim();
        apply(next === '' ? '' : read(next));
      }}
      onBlur={() => leave(false)}
      onKeyDown={({ key }) => key === 'Enter' && leave(true)}
    />
  );
}
