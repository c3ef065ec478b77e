import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { uiTexts } from '../ui/ui-texts.ts';
import { type ListState, MAX_SEARCH_LENGTH, ORDERS, STATUSES } from './list-state.ts';
import { listTexts } from './list-texts.ts';

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
      <NativeSelect
        label={listTexts.status}
        value={state.status}
        onChange={({ currentTarget }) => state.setStatus(currentTarget.value)}
        data={[
          { value: '', label: uiTexts.all },
          ...STATUSES.map((value) => ({ value, label: uiTexts[value] })),
        ]}
      />
      <NativeSelect
        label={listTexts.sortBy}
        value={state.order}
        onChange={({ currentTarget }) => state.setOrder(currentTarget.value)}
        data={Object.entries(ORDERS).map(([value, { label }]) => ({ value, label }))}
      />
    </Group>
  );
}
