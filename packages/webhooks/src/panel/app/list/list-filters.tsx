import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '../api/api-context.ts';
import type { WebhookListQuery } from '../api/webhook-queries.ts';
import { numberText } from '../texts/host-texts.ts';
import { Facets } from '../ui/facets.tsx';
import { FilterSheet } from '../ui/filter-sheet.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { LEVELS, type ListState, MAX_SEARCH_LENGTH, ORDERS, STATES } from './list-state.ts';
import { listTexts } from './list-texts.ts';

const TYPING_MS = 250;

interface ListFiltersProps {
  readonly state: ListState;
  /** Whether to count how many there are of each: the list comes first. */
  readonly isCounting: boolean;
}

/** Filters and sorts the list. */
export function ListFilters({ state, isCounting }: ListFiltersProps) {
  const [text, setText] = useState(state.search);
  const [applied, setApplied] = useState(state.search);
  const apply = useDebouncedCallback((search: string) => {
    setApplied(search);
    state.narrow({ search });
  }, TYPING_MS);
  // The search was cleared elsewhere, or by going back: the field follows the address.
  if (state.search !== applied) {
    setApplied(state.search);
    setText(state.search);
  }
  const all = { value: '', label: uiTexts.all };
  const count = (narrowed: WebhookListQuery) =>
    isCounting && <Count query={{ ...state.query, ...narrowed }} />;
  return (
    <div className="filters">
      <Group component="search" gap="sm" align="flex-end">
        <TextInput
          label={listTexts.search}
          type="search"
          flex="1 1 240px"
          maxLength={MAX_SEARCH_LENGTH}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            apply(currentTarget.value);
          }}
        />
        <FilterSheet>
          <Facets
            label={listTexts.level}
            value={state.level}
            onChange={(status) => state.narrow({ status })}
            options={[
              all,
              ...LEVELS.map((level) => ({
                value: level,
                label: uiTexts[level],
                count: level !== 'healthy' && count({ health: level }),
              })),
            ]}
          />
          <Facets
            label={listTexts.state}
            value={state.activity}
            onChange={(activity) => state.narrow({ activity })}
            options={[
              all,
              ...STATES.map((one) => ({
                value: one,
                label: uiTexts[one],
                count: one === 'paused' && count({ active: false }),
              })),
            ]}
          />
          <NativeSelect
            label={listTexts.sortBy}
            value={state.order}
            onChange={({ currentTarget }) => state.setOrder(currentTarget.value)}
            data={Object.entries(ORDERS).map(([value, { label }]) => ({ value, label }))}
          />
        </FilterSheet>
      </Group>
    </div>
  );
}

/** Three more reads of the list: not with each change that is told. */
const COUNTED = { restMs: 15_000 };

/** How many webhooks there are of a list. */
function Count({ query }: { readonly query: WebhookListQuery }) {
  const { search, active, health } = query;
  const counted = { search, active, health, limit: 1 };
  const options = { placeholderData: keepPreviousData, meta: COUNTED };
  const { data } = useRead('webhooks', '', { query: counted }, options);
  return data && <span className="facet-count">{numberText(data.total)}</span>;
}
