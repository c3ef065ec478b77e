import { NativeSelect } from '@mantine/core';
import type { DeliveryStatus } from '../../api/records.ts';
import { deliveryStatusOf, STATUS_LABELS } from '../../messages/webhook-text.ts';
import { uiTexts } from '../../ui/ui-texts.ts';
import { historyTexts } from './history-texts.ts';

interface StatusFilterProps {
  readonly value: DeliveryStatus | '';
  readonly onChange: (status: DeliveryStatus | '') => void;
}

/** Filters deliveries by their status. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <NativeSelect
      label={historyTexts.status}
      value={value}
      onChange={({ currentTarget }) => onChange(deliveryStatusOf(currentTarget.value))}
      data={[
        { value: '', label: uiTexts.all },
        ...Object.entries(STATUS_LABELS).map(([status, label]) => ({ value: status, label })),
      ]}
    />
  );
}
