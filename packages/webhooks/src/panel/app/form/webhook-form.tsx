import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, isAnswerLost } from '../api/api-error.ts';
import type { WebhookInput } from '../api/records.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { useDraft } from './draft.ts';
import { patternProblem } from './event-pattern.ts';
import { EventPicker } from './event-picker.tsx';
import { eventTexts } from './event-texts.ts';
import { formTexts } from './form-texts.ts';
import { LeaveQuestion, RestoredNotice } from './unsaved-input.tsx';
import { isWebhookDraft, type WebhookDraft } from './webhook-draft.ts';

interface WebhookFormProps {
  readonly title: string;
  /** Tells unsaved forms apart: `new`, or a webhook's id. */
  readonly name: string;
  readonly initial: WebhookDraft;
  readonly submitLabel: string;
  readonly error: unknown;
  readonly isBusy: boolean;
  /**
   * Resolves once it is saved. A rejection keeps the input. `base` has the values that the form
   * began with.
   */
  readonly onSubmit: (input: WebhookInput, base: WebhookInput) => Promise<unknown>;
  readonly onClose: () => void;
  /** Advice for a lost answer, if sending again is wrong. */
  readonly lostAnswerAdvice?: string;
  /** Content above the buttons; `change` replaces the input of some fields. */
  readonly children?: (change: (fields: Partial<WebhookInput>) => void) => ReactNode;
}

/** The form of a webhook. It shows problems beside their fields, and never loses input. */
export function WebhookForm(props: WebhookFormProps) {
  const { title, name, initial, submitLabel, error, isBusy, onSubmit, onClose } = props;
  const { draft, setDraft, base, isChanged, isRestored, discard, forget } = useDraft(
    name,
    initial,
    isWebhookDraft,
  );
  const [isLeaving, setLeaving] = useState(false);
  // The number of submits: after each one, the first field with a problem gets the focus.
  const [checks, setChecks] = useState(0);
  const form = useFocusOnProblem(checks, error);
  const isSending = useRef(false);
  const isChecked = checks > 0;
  const events = chosenEvents(draft);
  const urlProblem = isChecked ? urlMessage(draft.url) : null;
  const eventsProblem = isChecked && draft.events.length === 0 && !events?.length ? eventTexts.none : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecks(checks + 1);
    if (urlMessage(draft.url) !== null || !events?.length) return;
    const { pattern: _, ...fields } = draft;
    // The button is disabled with the next render only, and a second click may come before it.
    if (isSending.current) return;
    isSending.current = true;
    onSubmit({ ...fields, url: draft.url.trim(), name: draft.name.trim(), events }, base)
      .then(forget, () => undefined)
      .finally(() => {
        isSending.current = false;
      });
  }

  function leave(): void {
    forget();
    onClose();
  }

  return (
    <PanelDialog
      onClose={() => (isChanged ? setLeaving(true) : leave())}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      isDismissible={!isBusy}
    >
      <form ref={form} onSubmit={submit} noValidate>
        <Stack>
          {isRestored && isChanged && <RestoredNotice onDiscard={discard} />}
          <WebhookFields
            draft={draft}
            problems={{
              url: urlProblem ?? fieldMessage(error, 'url'),
              name: fieldMessage(error, 'name'),
              description: fieldMessage(error, 'description'),
              events: eventsProblem ?? fieldMessage(error, 'events'),
              max_per_minute: fieldMessage(error, 'max_per_minute'),
            }}
            onChange={setDraft}
          />
          {error && !isFieldError(error) ? (
            <ProblemAlert {...problemProps(error, props.lostAnswerAdvice)} error={error} />
          ) : null}
          {props.children?.((fields) => setDraft({ ...draft, ...fields }))}
          {isLeaving ? (
            <LeaveQuestion onLeave={leave} onStay={() => setLeaving(false)} />
          ) : (
            <FormButtons submitLabel={submitLabel} isBusy={isBusy} onCancel={leave} />
          )}
        </Stack>
      </form>
    </PanelDialog>
  );
}

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  /** Null for a field without a problem. */
  readonly problems: Readonly<Record<keyof WebhookInput, string | null>>;
  readonly onChange: (draft: WebhookDraft) => void;
}

function WebhookFields({ draft, problems, onChange }: WebhookFieldsProps) {
  return (
    <>
      <TextInput
        label={formTexts.url}
        description={formTexts.urlAdvice}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
        maxLength={2_048}
        value={draft.url}
        error={problems.url}
        onChange={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
      />
      <TextInput
        label={formTexts.name}
        description={formTexts.nameAdvice}
        autoComplete="off"
        maxLength={80}
        value={draft.name}
        error={problems.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        label={formTexts.description}
        description={formTexts.descriptionAdvice}
        rows={2}
        maxLength={1_000}
        value={draft.description}
        error={problems.description}
        onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value })}
      />
      <EventPicker
        patterns={draft.events}
        typed={draft.pattern}
        error={problems.events}
        onChange={(patterns, pattern) => onChange({ ...draft, events: patterns, pattern })}
      />
      <TextInput
        label={formTexts.maxPerMinute}
        description={formTexts.maxPerMinuteAdvice}
        type="number"
        min={1}
        max={60_000}
        value={draft.max_per_minute ?? ''}
        error={problems.max_per_minute}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...draft, max_per_minute: value === '' ? null : Number(value) })
        }
      />
    </>
  );
}

/** Moves the focus to the first field with a problem after each check. */
function useFocusOnProblem(checks: number, error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (checks === 0 && !error) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [checks, error]);
  return form;
}

interface FormButtonsProps {
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

function FormButtons({ submitLabel, isBusy, onCancel }: FormButtonsProps) {
  return (
    <Group justify="flex-end" className="form-buttons">
      <Button variant="default" disabled={isBusy} onClick={onCancel}>
        {uiTexts.cancel}
      </Button>
      <Button type="submit" loading={isBusy}>
        {submitLabel}
      </Button>
    </Group>
  );
}

/** The patterns, with one that is typed and not added yet; null if that one is invalid. */
function chosenEvents({ events, pattern }: WebhookDraft): readonly string[] | null {
  const typed = pattern.trim();
  if (typed === '' || events.includes('*') || events.includes(typed)) return events;
  return patternProblem(typed) === null ? [...events, typed] : null;
}

const FIELDS = ['url', 'name', 'description', 'events', 'max_per_minute'];

/** True if the problem is shown beside a field. */
function isFieldError(error: unknown): boolean {
  return error instanceof ApiError && FIELDS.some((field) => fieldMessage(error, field) !== null);
}

function problemProps(error: unknown, lostAnswerAdvice = ''): { title: string; advice?: string } {
  if (!isAnswerLost(error)) return { title: formTexts.notSaved };
  return { title: formTexts.maybeSaved, advice: lostAnswerAdvice };
}

function urlMessage(text: string): string | null {
  const url = text.trim();
  if (url === '') return formTexts.noUrl;
  if (!/^https?:\/\//i.test(url)) return formTexts.urlScheme;
  return URL.canParse(url) ? null : formTexts.urlIncomplete;
}
