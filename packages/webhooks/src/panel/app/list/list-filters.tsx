import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { type ListState, MAX_SEARCH_LENGTH, ORDERS } from './list-state.ts';

const TYPING_MS = 250;

/** Filters and sorts the list. */
export function ListFilters({ state }: { readonly state: ListState }) {
  const [text, setText] = useState(state.search);
  const [applied, setApplied] = useState(state.search);
  const apply = useDebouncedCallback((search: string) => {
    setApplied(search);
    state.setSearch(search);
  }, TYPING_MS);
  // The search was cleared elsewhere, or by going back: the field follows the address.
  if (state.search !== applied) {
    setApplied(state.search);
    setText(state.search);
  }
  return (
    <search className="filters">
      <TextInput
        label="Search in URL and description"
        type="search"
        className="filter-search"
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          apply(currentTarget.value);
        }}
      />
      <NativeSelect
        label="Status"
        value={state.status}
        onChange={({ currentTarget }) => state.setStatus(currentTarget.value)}
        data={[
          { value: '', label: 'All' },
          { value: 'active', label: 'Active' },
          { value: 'paused', label: 'Paused' },
          { value: 'failing', label: 'Failing' },
        ]}
      />
      <NativeSelect
        label="Sort by"
        value={state.order}
        onChange={({ currentTarget }) => state.setOrder(currentTarget.value)}
        data={Object.entries(ORDERS).map(([value, { label }]) => ({ value, label }))}
      />
    </search>
  );
}
