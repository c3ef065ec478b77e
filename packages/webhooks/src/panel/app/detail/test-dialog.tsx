import { NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { matchesPattern } from '../../../events/pattern.ts';
import { useApi } from '../api/api-context.ts';
import { ApiError } from '../api/api-error.ts';
import type { KnownEvent, WebhookDetail } from '../api/records.ts';
import { useTestWebhook } from '../api/webhook-actions.ts';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { catalogTexts } from '../catalog/catalog-texts.ts';
import { useDraft } from '../form/draft.ts';
import { LeaveQuestion, RestoredNotice } from '../form/unsaved-input.tsx';
import { fieldMessage, problemMessage } from '../messages/problem-message.ts';
import { fill } from '../texts/host-texts.ts';
import { DialogButtons } from '../ui/confirm-dialog.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert, Unread } from '../ui/problem-alert.tsx';

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
 * Sends a known event with an editable payload as a test. What was entered is not lost
 * unasked.
 */
export function TestDialog({ webhook, onSent, onClose }: TestDialogProps) {
  const known = useKnownEvents();
  const input = useRef<HTMLTextAreaElement>(null);
  const kept = useDraft<TestDraft>(`test-${webhook.id}`, UNEDITED);
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
    <PanelDialog
      onClose={() => kept.leaveBy(onClose)}
      title={catalogTexts.testTitle}
      size="lg"
      isDismissible={!test.isPending}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {kept.isRestored && <RestoredNotice />}
          <Text size="sm">{catalogTexts.testLead}</Text>
          <NativeSelect
            label={catalogTexts.event}
            data-autofocus
            data={known.data?.map(({ name, label }) => ({ value: name, label: `${name} – ${label}` })) ?? []}
            value={event}
            onChange={({ currentTarget }) => {
              test.reset();
              setDraft({ event: currentTarget.value, text: null });
            }}
          />
          <Unread read={known} problem={catalogTexts.notLoaded} />
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
            disabled={payload.proposal.isLoading}
            error={payload.problem ?? refused}
            onChange={({ currentTarget }) => {
              test.reset();
              setDraft({ event, text: currentTarget.value });
            }}
          />
          <Unread read={payload.proposal} problem={catalogTexts.detailsNotLoaded} />
          {refused === null && <ProblemAlert title={catalogTexts.notSent} error={test.error} />}
          {kept.question ? (
            <LeaveQuestion {...kept.question} />
          ) : (
            <DialogButtons
              confirmLabel={catalogTexts.send}
              isBusy={test.isPending}
              isDisabled={payload.proposal.isLoading}
              onClose={onClose}
            />
          )}
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

/**
 * The payload that is proposed for a test of an event: its example, or else one made from its
 * schema. It is empty if there is neither; the server then sends the usual payload of the event,
 * if it has one.
 */
function useProposedPayload(event: string) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['events', event, 'payload'],
    queryFn: async ({ signal }) => {
      const sent = { params: { name: event }, query: { limit: 1 }, signal };
      const { example, schema } = await request('GET', '/events/{name}', sent);
      if (example) return { text: JSON.stringify(example, null, 2), isFromSchema: false };
      // The code is loaded only for an event without an example.
      const sampling = import('./sampled-payload.ts').then(({ sampledPayload }) => sampledPayload(schema));
      const sampled = await sampling.catch(() => null);
      return { text: sampled ?? '', isFromSchema: sampled !== null };
    },
  });
}

/** The payload as text: the proposed one until the user edits it. */
function usePayload(event: string, draft: TestDraft) {
  const proposal = useProposedPayload(event);
  const [problem, setProblem] = useState<{ readonly text: string; readonly message: string } | null>(null);
  const text = draft.text ?? proposal.data?.text ?? '';

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
    proposal,
    text,
    isFromSchema: proposal.data?.isFromSchema === true && draft.text === null,
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
