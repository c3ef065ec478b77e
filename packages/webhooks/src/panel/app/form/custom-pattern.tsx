import { Button, TextInput } from '@mantine/core';
import type { KnownEvent } from '../api/records.ts';
import { countOf } from '../messages/webhook-text.ts';
import { patternProblem, selects } from './event-pattern.ts';

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
    <div className="custom-pattern">
      <TextInput
        label="Another event or pattern"
        description="An exact name such as order.created, or a prefix such as order.* for all that begins with it"
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
        Add
      </Button>
      <p className="custom-pattern-hint" aria-live="polite">
        {problem === null && pattern !== '' ? matchMessage(pattern, known) : ''}
      </p>
    </div>
  );
}

function duplicateProblem(pattern: string, patterns: readonly string[]): string | null {
  return patterns.includes(pattern) ? 'This pattern is already chosen.' : null;
}

function matchMessage(pattern: string, known: readonly KnownEvent[]): string {
  const matched = known.filter(({ name }) => selects(pattern, name)).length;
  if (matched > 0) return `Matches ${countOf(matched, 'known event')}.`;
  return 'No known event matches. That is fine for an event that is not listed; otherwise check the spelling.';
}
