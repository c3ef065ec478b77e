import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useEventDescription } from '../api/event-description.ts';
import { useTestWebhook } from '../api/webhook-actions.ts';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { catalogTexts } from '../catalog/catalog-texts.ts';
import { fieldMessage, problemMessage } from '../messages/problem-message.ts';
import { fill } from '../texts/host-texts.ts';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';

/** Each member that a schema refuses has its line. */
const JSON_INPUT = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)' },
  error: { whiteSpace: 'pre-line' },
} as const;

interface TestDialogProps {
  readonly webhookId: number;
  readonly onSent: (deliveryId: string) => void;
  readonly onClose: () => void;
}

/** Sends a known event with an editable payload as a test. */
export function TestDialog({ webhookId, onSent, onClose }: TestDialogProps) {
  const known = useKnownEvents();
  const [chosen, setChosen] = useState<string | null>(null);
  const event = chosen ?? known.data?.find(({ name }) => name !== 'webhook.test')?.name ?? 'webhook.test';
  const payload = usePayload(event);
  const test = useTestWebhook(webhookId);
  const input = useRef<HTMLTextAreaElement>(null);

  function submit(submitted: FormEvent): void {
    submitted.preventDefault();
    const data = payload.check();
    if (data === null) {
      input.current?.focus();
      return;
    }
    test.mutate(
      { event, ...data },
      {
        onSuccess: ({ delivery_id: deliveryId }) => onSent(deliveryId),
        onError: (error) => payloadMessage(error) !== null && input.current?.focus(),
      },
    );
  }

  const refused = payloadMessage(test.error);
  return (
    <PanelDialog onClose={onClose} title={catalogTexts.testTitle} size="lg" isDismissible={!test.isPending}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{catalogTexts.testLead}</Text>
          <EventChoice
            value={event}
            onChange={(name) => {
              test.reset();
              setChosen(name);
            }}
          />
          <Textarea
            ref={input}
            label={catalogTexts.payload}
            description={catalogTexts.payloadAdvice}
            styles={JSON_INPUT}
            rows={12}
            spellCheck={false}
            autoComplete="off"
            placeholder={catalogTexts.payloadDefault}
            value={payload.text}
            disabled={payload.isLoading}
            error={payload.problem ?? refused}
            onChange={({ currentTarget }) => {
              test.reset();
              payload.setText(currentTarget.value);
            }}
          />
          {payload.error && (
            <ProblemAlert
              title={catalogTexts.detailsNotLoaded}
              error={payload.error}
              onRetry={() => void payload.refetch()}
            />
          )}
          {test.error && refused === null && <ProblemAlert title={catalogTexts.notSent} error={test.error} />}
          <Actions isSending={test.isPending} isLoading={payload.isLoading} onClose={onClose} />
        </Stack>
      </form>
    </PanelDialog>
  );
}

interface ActionsProps {
  readonly isSending: boolean;
  readonly isLoading: boolean;
  readonly onClose: () => void;
}

function Actions({ isSending, isLoading, onClose }: ActionsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={isSending} onClick={onClose}>
        {uiTexts.cancel}
      </Button>
      <Button type="submit" loading={isSending} disabled={isLoading}>
        {catalogTexts.send}
      </Button>
    </Group>
  );
}

interface EventChoiceProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function EventChoice({ value, onChange }: EventChoiceProps) {
  const { data, error, refetch } = useKnownEvents();
  const known = data ?? [];
  return (
    <>
      <NativeSelect
        label={catalogTexts.event}
        data={known.map(({ name, label }) => ({ value: name, label: `${name} – ${label}` }))}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {error && !data && (
        <ProblemAlert title={catalogTexts.notLoaded} error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
}

/**
 * The payload as text: the example of the event until the user edits it. Without an example, it is
 * empty: the server then sends the usual payload of the event, if it has one.
 */
function usePayload(event: string) {
  const { data, error, isPending, refetch } = useEventDescription(event, 0, 1);
  const [edited, setEdited] = useState<{ readonly event: string; readonly text: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const example = data?.name === event ? data.example : null;
  const text = edited?.event === event ? edited.text : example ? JSON.stringify(example, null, 2) : '';

  /** Null if the text is no payload; without a payload if it is empty. */
  function check(): { readonly payload?: Readonly<Record<string, unknown>> } | null {
    if (text.trim() === '') return {};
    try {
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value)) return { payload: value };
      setProblem(catalogTexts.noObject);
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      setProblem(fill(catalogTexts.noJson, { reason }));
    }
    return null;
  }

  return {
    text,
    isLoading: isPending,
    error: data ? null : error,
    refetch,
    problem: edited?.event === event || edited === null ? problem : null,
    check,
    setText(next: string): void {
      setProblem(null);
      setEdited({ event, text: next });
    },
  };
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the server says of the payload: its schema names the members that it refuses. */
function payloadMessage(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid_payload') return fieldMessage(error, 'payload');
  const members = error.fields.map(({ field, message }) => `${field} ${message}`.trim());
  return [problemMessage(error), ...members].join('\n');
}
