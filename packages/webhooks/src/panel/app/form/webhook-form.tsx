import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { fieldWords } from '../words/problem-words.ts';
import { useDraft, type WebhookDraft } from './draft.ts';
import { EventPicker } from './event-picker.tsx';

interface WebhookFormProps {
  /** Tells unsaved forms apart: `new`, or a webhook's id. */
  readonly name: string;
  readonly initial: WebhookDraft;
  readonly submitLabel: string;
  readonly error: unknown;
  readonly isBusy: boolean;
  /** Resolves once it is saved; a rejection leaves everything as it was entered. */
  readonly onSubmit: (draft: WebhookDraft) => Promise<unknown>;
  readonly onCancel: () => void;
}

/** The fields of a webhook. What is wrong stands beside its field, and nothing that was entered is lost. */
export function WebhookForm(props: WebhookFormProps) {
  const { name, initial, submitLabel, error, isBusy, onSubmit, onCancel } = props;
  const { draft, setDraft, forget } = useDraft(name, initial);
  const form = useRef<HTMLFormElement>(null);
  // How often it was sent: after each time, the first field that is wrong gets the focus.
  const [checks, setChecks] = useState(0);
  const isChecked = checks > 0;
  const urlProblem = isChecked ? urlWords(draft.url) : null;
  const eventsProblem = isChecked && draft.events.length === 0 ? 'Choose at least one event.' : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecks(checks + 1);
    if (urlWords(draft.url) !== null || draft.events.length === 0) return;
    onSubmit({ ...draft, url: draft.url.trim() }).then(forget, () => undefined);
  }

  useEffect(() => {
    if (checks === 0 && !error) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [checks, error]);

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="URL"
          description="Where the events are sent, as POST requests: a public http or https address"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
          maxLength={2_048}
          value={draft.url}
          error={urlProblem ?? fieldWords(error, 'url')}
          onChange={({ currentTarget }) => setDraft({ ...draft, url: currentTarget.value })}
        />
        <Textarea
          label="Description"
          description="For you and other administrators: whose system is this?"
          rows={2}
          maxLength={1_000}
          value={draft.description}
          error={fieldWords(error, 'description')}
          onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
        />
        <EventPicker
          patterns={draft.events}
          error={eventsProblem ?? fieldWords(error, 'events')}
          onChange={(events) => setDraft({ ...draft, events })}
        />
        {error && !isFieldError(error) ? <ProblemAlert title="It was not saved" error={error} /> : null}
        <Group justify="flex-end" className="form-buttons">
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => {
              forget();
              onCancel();
            }}
          >
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const FIELDS = ['url', 'description', 'events'];

/** Whether everything that is wrong is shown beside a field. */
function isFieldError(error: unknown): boolean {
  return error instanceof ApiError && FIELDS.some((field) => fieldWords(error, field) !== null);
}

function urlWords(text: string): string | null {
  const url = text.trim();
  if (url === '') return 'Enter the URL.';
  if (!/^https?:\/\//i.test(url)) return 'The URL begins with https:// or http://';
  return URL.canParse(url) ? null : 'This is not a complete URL.';
}
