import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { deliveryIdOf } from '../api/delivery-id.ts';
import type { DeliveryStatus } from '../api/records.ts';
import { useWebhook } from '../api/webhook-queries.ts';
import { historyTexts } from '../delivery/delivery-texts.ts';
import { webhookTexts } from '../detail/webhook-texts.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { STATUS_LABELS } from '../messages/webhook-text.ts';
import { numberText } from '../texts/host-texts.ts';
import { Facets } from '../ui/facets.tsx';
import { FilterSheet } from '../ui/filter-sheet.tsx';
import { visibleText } from '../ui/hidden-characters.ts';
import { uiTexts } from '../ui/ui-texts.ts';
import { RANGE_NAMES, RANGES } from './activity/activity-bars.ts';
import { deliveriesTexts } from './deliveries-texts.ts';
import { type DeliveriesView, MAX_ID_TEXT_LENGTH } from './deliveries-view.ts';
import { useCauseChoices, useEventChoices, useTenantChoices, useWebhookChoices } from './facet-choices.ts';
import { FacetSearch } from './facet-search.tsx';
import { FacetTime } from './facet-time.tsx';

const STATUSES = ['pending', 'success', 'failed'] as const;

interface DeliveryFiltersProps {
  readonly label: string;
  readonly view: DeliveriesView;
  /** How many there are, of the statuses whose number is known. */
  readonly counts: Readonly<Partial<Record<DeliveryStatus, number>>>;
}

/** Filters deliveries, or finds one. */
export function DeliveryFilters({ label, view, counts }: DeliveryFiltersProps) {
  const { filters, narrow, isAcross } = view;
  const { status, event, error, range, from, to } = filters;
  return (
    <div className="filters">
      <Group component="search" gap="sm" align="flex-end" mb="sm" aria-label={label}>
        {isAcross && <IdInput value={filters.id} onApply={view.find} />}
        <FilterSheet>
          <Facets
            label={historyTexts.status}
            value={status}
            onChange={(chosen) => narrow({ status: chosen })}
            options={[
              { value: '', label: uiTexts.all },
              ...STATUSES.map((value) => ({
                value,
                label: STATUS_LABELS[value],
                count: counts[value] !== undefined && (
                  <span className="facet-count">{numberText(counts[value])}</span>
                ),
              })),
            ]}
          />
          {isAcross && (
            <Facets
              label={deliveriesTexts.created}
              value={from + to === '' ? range : 'chosen'}
              onChange={(chosen) => narrow({ range: chosen, from: '', to: '' })}
              options={[
                { value: '', label: deliveriesTexts.anyTime },
                ...RANGE_NAMES.map((value) => ({ value, label: RANGES[value].label })),
              ]}
            />
          )}
          <FacetTime view={view} />
          <FacetSearch
            label={historyTexts.event}
            value={event}
            useChoices={useEventChoices}
            onChange={(chosen) => narrow({ event: chosen })}
          />
          <FacetSearch
            label={deliveriesTexts.error}
            value={error}
            shown={error && failureMessage(error).title}
            useChoices={useCauseChoices}
            onChange={(chosen) => narrow({ error: chosen })}
          />
          {isAcross && <WhoseFilters view={view} />}
        </FilterSheet>
      </Group>
    </div>
  );
}

/** Filters by webhook and, for administrators with customers, by customer. */
function WhoseFilters({ view: { filters, narrow } }: { readonly view: DeliveriesView }) {
  const { webhook, tenant } = filters;
  const { data } = useWebhook(Number(webhook), webhook !== '');
  const hasTenants = useTenantChoices('').found.length > 0;
  return (
    <>
      <FacetSearch
        label={deliveriesTexts.webhook}
        value={webhook}
        shown={webhook && (data ? visibleText(data.name || data.url) : `#${webhook}`)}
        useChoices={useWebhookChoices}
        onChange={(chosen) => narrow({ webhook: chosen, tenant: '' })}
      />
      {(hasTenants || tenant !== '') && (
        <FacetSearch
          label={webhookTexts.customer}
          value={tenant}
          shown={visibleText(tenant)}
          useChoices={useTenantChoices}
          onChange={(chosen) => narrow({ tenant: chosen, webhook: '' })}
        />
      )}
    </>
  );
}

/** Finds a delivery once its id is complete; a text that is none once the field is left. */
function IdInput({ value, onApply }: { readonly value: string; readonly onApply: (text: string) => void }) {
  /** What is not applied yet; null if the field shows what is. */
  const [typed, setTyped] = useState<string | null>(null);
  const apply = (text: string) => {
    setTyped(null);
    if (text !== value) onApply(text);
  };
  const leave = () => typed !== null && apply(typed.trim());
  const isWrong = typed === null && value !== '' && deliveryIdOf(value) === null;
  return (
    <TextInput
      label={deliveriesTexts.id}
      flex="1 1 190px"
      maxLength={MAX_ID_TEXT_LENGTH}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? value}
      error={isWrong ? deliveriesTexts.idMalformed : null}
      inputWrapperOrder={['label', 'input', 'error']}
      onChange={({ currentTarget: { value: text } }) => {
        const id = text.trim() === '' ? '' : deliveryIdOf(text.trim());
        if (id === null) setTyped(text);
        else apply(id);
      }}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
    />
  );
}
