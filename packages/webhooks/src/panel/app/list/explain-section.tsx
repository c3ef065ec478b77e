import { Button, Paper, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { patternProblem } from '../form/event-pattern.ts';
import { changedParameters } from '../ui/changed-parameters.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { explainTexts } from './explain-texts.ts';

const ExplainResult = lazyComponent(async () => (await import('./explain-result.tsx')).ExplainResult);

/**
 * Answers "Why didn't it get the event?": which webhooks receive an event, and why the others do
 * not.
 */
export function ExplainSection({ search }: { readonly search: string }) {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('explain') ?? '';
  const [text, setText] = useState(asked);
  const [problem, setProblem] = useState<string | null>(null);
  const known = useKnownEvents();
  const headingId = useId();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  // The link on the page of a webhook leads here.
  const [isWanted] = useState(parameters.has('explain'));
  useEffect(() => {
    if (isWanted) input.current?.focus();
  }, [isWanted]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const name = text.trim();
    const wrong = eventNameProblem(name);
    setProblem(wrong);
    if (wrong !== null) return;
    setParameters((previous) => changedParameters(previous, { explain: name }), { replace: true });
  }

  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId} id="explain">
      <Title order={2} size="h4" id={headingId}>
        {explainTexts.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {explainTexts.lead}
      </Text>
      <form onSubmit={submit} className="field-button" noValidate>
        <TextInput
          ref={input}
          label={explainTexts.event}
          list={listId}
          autoComplete="off"
          spellCheck={false}
          value={text}
          error={problem}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem(null);
          }}
        />
        <datalist id={listId}>
          {known.data?.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </datalist>
        <Button type="submit" variant="default" leftSection={<IconSearch size={16} />}>
          {explainTexts.explain}
        </Button>
      </form>
      {asked !== '' && <ExplainResult key={asked} event={asked} search={search} />}
    </Paper>
  );
}

function eventNameProblem(name: string): string | null {
  if (name === '') return explainTexts.noName;
  if (name.includes('*')) return explainTexts.noStar;
  return patternProblem(name);
}
