import { Button, Text, TextInput } from '@mantine/core';
import { matchesPattern } from '../../../events/pattern.ts';
import type { KnownEvent } from '../api/records.ts';
import { fill } from '../texts/host-texts.ts';
import { patternProblem } from './event-pattern.ts';
import { eventTexts } from './event-texts.ts';

interface CustomPatternProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly patterns: readonly string[];
  readonly known: readonly KnownEvent[];
  readonly onAdd: (pattern: string) => void;
}

/** A custom pattern, checked while it is typed. */
export function CustomPattern({ text, onText, patterns, known, onAdd }: CustomPatternProps) {
  const pattern = text.trim();
  const problem = patterns.includes(pattern) ? eventTexts.alreadyChosen : patternProblem(pattern);
  const canAdd = pattern !== '' && problem === null;
  const matched = known.filter(({ name }) => matchesPattern(pattern, name)).length;

  return (
    <div className="field-button">
      <TextInput
        label={eventTexts.custom}
        description={eventTexts.customAdvice}
        value={text}
        error={pattern !== '' && problem}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter adds the pattern, and does not submit the surrounding form.
          event.preventDefault();
          if (canAdd) onAdd(pattern);
        }}
      />
      <Button variant="default" onClick={() => onAdd(pattern)} disabled={!canAdd}>
        {eventTexts.add}
      </Button>
      <Text size="xs" c="dimmed" aria-live="polite">
        {canAdd && (matched > 0 ? fill(eventTexts.matches, { count: matched }) : eventTexts.noMatch)}
      </Text>
    </div>
  );
}
