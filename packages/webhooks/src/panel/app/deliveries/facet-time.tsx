import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { localInputValue } from '../detail/local-input-value.ts';
import { deliveriesTexts } from './deliveries-texts.ts';
import type { DeliveriesView } from './deliveries-view.ts';
import { FacetPopover } from './facet-popover.tsx';

/** Filters by any time, also one that the chart does not have. */
export function FacetTime({ view }: { readonly view: DeliveriesView }) {
  const { from, to } = view.filters;
  return (
    <FacetPopover text={deliveriesTexts.customRange} isChosen={from + to !== ''}>
      {() => <TimeFields view={view} />}
    </FacetPopover>
  );
}

function TimeFields({ view: { filters, narrow } }: { readonly view: DeliveriesView }) {
  const { from, to } = filters;
  // As they are typed: a year is none before its last digit.
  const [typed, setTyped] = useState({ from: inputValue(from), to: inputValue(to) });
  return (
    <Stack gap="xs">
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="datetime-local"
          label={deliveriesTexts[end]}
          max="9999-12-31T23:59"
          error={end === 'to' && to !== '' && from > to ? deliveriesTexts.backwards : null}
          value={typed[end]}
          onChange={({ currentTarget: { value, validity } }) => {
            setTyped({ ...typed, [end]: value });
            const time = Date.parse(value);
            if (time > 0) narrow({ [end]: new Date(time).toISOString() });
            else if (value === '' && !validity.badInput) narrow({ [end]: '' });
          }}
        />
      ))}
    </Stack>
  );
}

function inputValue(time: string): string {
  return time === '' ? '' : localInputValue(new Date(time));
}
