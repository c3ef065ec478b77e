import { Group } from '@mantine/core';
import type { DeliveryStatus } from '../../api/records.ts';
import { EventFilter } from './event-filter.tsx';
import { historyTexts } from './history-texts.ts';
import { StatusFilter } from './status-filter.tsx';

export interface HistoryFilterValues {
  readonly status: DeliveryStatus | '';
  /** The full name of an event. */
  readonly event: string;
  /** When they were created, as ISO 8601; '' for any time. */
  readonly from: string;
  readonly to: string;
}

interface HistoryFiltersProps {
  readonly values: HistoryFilterValues;
  readonly onChange: (values: HistoryFilterValues) => void;
}

/** Filters the history by status and event. */
export function HistoryFilters({ values, onChange }: HistoryFiltersProps) {
  return (
    <Group component="search" gap="sm" align="flex-start" mb="sm" aria-label={historyTexts.filter}>
      <StatusFilter value={values.status} onChange={(status) => onChange({ ...values, status })} />
      <EventFilter value={values.event} onChange={(event) => onChange({ ...values, event })} />
    </Group>
  );
}
