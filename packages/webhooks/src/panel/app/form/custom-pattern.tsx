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
  const problem = pattern === '' ? null : (duplicateProblem(pattern, patterns) ?? patternProblem(pattern));

  function add(): void {
    if (pattern === '' || problem !== null) return;
    onAdd(pattern);
  }

  return (
    <div className="field-button">
      <TextInput
        label={eventTexts.custom}
        description={eventTexts.customAdvice}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter adds the pattern, and does not submit the surrounding form.
          event.preventDefault();
          add();
        }}
      />
      <Button variant="default" onClick={add} disabled={pattern === '' || problem !== null}>
        {eventTexts.add}
      </Button>
      <Text size="xs" c="dimmed" aria-live="polite">
        {problem === null && pattern !== '' ? matchMessage(pattern, known) : ''}
      </Text>
    </div>
  );
}

function duplicateProblem(pattern: string, patterns: readonly string[]): string | null {
  return patterns.includes(pattern) ? eventTexts.alreadyChosen : null;
}

function matchMessage(pattern: string, known: readonly KnownEvent[]): string {
  const matched = known.filter(({ name }) => matchesPattern(pattern, name)).length;
  if (matched > 0) return fill(eventTexts.matches, { count: matched });
  return eventTexts.noMatch;
}
