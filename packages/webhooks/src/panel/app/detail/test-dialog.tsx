import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { matchesPattern } from '../../../events/pattern.ts';
import { ApiError } from '../api/api-error.ts';
import type { KnownEvent, WebhookDetail } from '../api/records.ts';
import { useTestWebhook } from '../api/webhook-actions.ts';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { catalogTexts } from '../catalog/catalog-texts.ts';
import { useDraft } from '../form/draft.ts';
import { RestoredNotice } from '../form/unsaved-input.tsx';
import { fieldMessage, problemMessage } from '../messages/problem-message.ts';
import { fill } from '../texts/host-texts.ts';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { useProposedPayload } from './proposed-payload.ts';

/** Each member that a schema refuses has its line. */
const JSON_INPUT = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)' },
  error: { whiteSpace: 'pre-line' },
} as const;

interface TestDialogProps {
  readonly webhook: WebhookDetail;
  readonly onSent: (deliveryId: string) => void;
  readonly onClose: () => void;
}

/** What was entered: null for the proposed event, and for the proposed payload. */
interface TestDraft {
  readonly event: string | null;
  readonly text: string | null;
}

const UNEDITED: TestDraft = { event: null, text: null };

/**
 * Sends a known event with an editable payload as a test. What was entered is kept until it is sent
 * or discarded.
 */
export function TestDialog({ webhook, onSent, onClose }: TestDialogProps) {
  const known = useKnownEvents();
  const input = useRef<HTMLTextAreaElement>(null);
  const kept = useDraft<TestDraft>(`test-${webhook.id}`, UNEDITED, isTestDraft);
  const { draft, setDraft } = kept;
  const event = draft.event ?? proposedEvent(known.data ?? [], webhook.events);
  const payload = usePayload(event, draft);
  const test = useTestWebhook(webhook.id);

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
        onSuccess: ({ delivery_id: deliveryId }) => {
          kept.forget();
          onSent(deliveryId);
        },
        onError: (error) => payloadMessage(error) !== null && input.current?.focus(),
      },
    );
  }

  const refused = payloadMessage(test.error);
  return (
    <PanelDialog onClose={onClose} title={catalogTexts.testTitle} size="lg" isDismissible={!test.isPending}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {kept.isRestored && kept.isChanged && <RestoredNotice onDiscard={kept.discard} />}
          <Text size="sm">{catalogTexts.testLead}</Text>
          <EventChoice
            value={event}
            onChange={(name) => {
              test.reset();
              setDraft({ event: name, text: null });
            }}
          />
          <Textarea
            ref={input}
            label={catalogTexts.payload}
            description={payload.isFromSchema ? catalogTexts.payloadFromSchema : catalogTexts.payloadAdvice}
            styles={JSON_INPUT}
            rows={12}
            spellCheck={false}
            autoComplete="off"
            placeholder={event === 'webhook.test' ? catalogTexts.payloadDefault : catalogTexts.noExample}
            value={payload.text}
            disabled={payload.isLoading}
            error={payload.problem ?? refused}
            onChange={({ currentTarget }) => {
              test.reset();
              setDraft({ event, text: currentTarget.value });
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

/** The first event that the webhook subscribes to, or else the first that is not just a test. */
function proposedEvent(known: readonly KnownEvent[], patterns: readonly string[]): string {
  const names = known.map(({ name }) => name).filter((name) => name !== 'webhook.test');
  const subscribed = names.find((name) => patterns.some((pattern) => matchesPattern(pattern, name)));
  return subscribed ?? names[0] ?? 'webhook.test';
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
        data-autofocus
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

/** The payload as text: the proposed one until the user edits it. */
function usePayload(event: string, draft: TestDraft) {
  const { text: proposed, isFromSchema, ...loading } = useProposedPayload(event);
  const [problem, setProblem] = useState<{ readonly text: string; readonly message: string } | null>(null);
  const text = draft.text ?? proposed;

  /** Null if the text is no payload; without a payload if it is empty. */
  function check(): { readonly payload?: Readonly<Record<string, unknown>> } | null {
    if (text.trim() === '') return {};
    try {
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value)) return { payload: value };
      setProblem({ text, message: catalogTexts.noObject });
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      setProblem({ text, message: fill(catalogTexts.noJson, { reason }) });
    }
    return null;
  }

  return {
    ...loading,
    text,
    isFromSchema: isFromSchema && draft.text === null,
    // Until the text is another one.
    problem: problem?.text === text ? problem.message : null,
    check,
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

function isTestDraft(value: unknown): value is TestDraft {
  if (typeof value !== 'object' || value === null || !('event' in value) || !('text' in value)) return false;
  return [value.event, value.text].every((part) => part === null || typeof part === 'string');
}
