import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { deliveryTexts } from '../delivery/delivery-texts.ts';
import { fill } from '../texts/host-texts.ts';
import { uiTexts } from '../ui/ui-texts.ts';
import { deliveriesTexts } from './deliveries-texts.ts';
import { FacetPopover } from './facet-popover.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What a text finds. */
export interface Choices {
  readonly found: readonly Choice[];
  /** False while they are still those of an earlier text: Enter chooses none of them. */
  readonly isOfText: boolean;
}

interface FacetSearchProps {
  /** What is chosen from, such as `Event`. */
  readonly label: string;
  readonly value: string;
  /** What is chosen, as it is shown. Default: the value. */
  readonly shown?: string;
  /** A hook that finds what may be chosen by a text, the best first; by '' what there is. */
  readonly useChoices: (text: string) => Choices;
  readonly onChange: (value: string) => void;
}

/** A filter with more values than fit side by side: one is searched for, and chosen. */
export function FacetSearch({ label, value, shown = value, useChoices, onChange }: FacetSearchProps) {
  const text = fill(deliveriesTexts.facet, { facet: label, value: shown || uiTexts.all });
  return (
    <FacetPopover text={text} isChosen={value !== ''}>
      {(close) => (
        <ChoiceSearch
          label={label}
          value={value}
          useChoices={useChoices}
          onChange={(chosen) => {
            close();
            onChange(chosen);
          }}
        />
      )}
    </FacetPopover>
  );
}

function ChoiceSearch({ label, value, useChoices, onChange }: FacetSearchProps) {
  const [text, setText] = useState('');
  const typed = text.trim();
  const { found, isOfText } = useChoices(typed);
  const choices = typed === '' ? [{ value: '', label: uiTexts.all }, ...found] : found;
  return (
    <Stack gap={4}>
      <TextInput
        label={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) =>
          key === 'Enter' && typed !== '' && isOfText && found[0] && onChange(found[0].value)
        }
      />
      <Text size="sm" role="status">
        {isOfText && choices.length === 0 && deliveryTexts.notFound}
      </Text>
      <div className="facet-choices">
        {choices.map((choice) => (
          <UnstyledButton
            key={choice.value}
            className="facet-choice"
            aria-pressed={choice.value === value}
            onClick={() => onChange(choice.value)}
          >
            <bdi>{choice.label}</bdi>
          </UnstyledButton>
        ))}
      </div>
    </Stack>
  );
}
