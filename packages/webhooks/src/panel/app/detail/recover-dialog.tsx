import { Alert, Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { isAnswerLost } from '../api/api-error.ts';
import { useFailedCount, useRecovery } from '../api/recovery.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { localInputValue } from './local-input-value.ts';
import { newRecovery, type RecoveryField, recoveryOf, recoveryProblems } from './recovery-draft.ts';
import { webhookDialogTexts } from './webhook-texts.ts';

interface RecoverDialogProps {
  readonly webhookId: number;
  /** Counts at once what was created since then. Default: asks first. */
  readonly since?: string | undefined;
  readonly onClose: () => void;
}

const FIELDS: readonly RecoveryField[] = ['since', 'until', 'events'];

/** Sends failed deliveries again, after it has shown how many there are. */
export function RecoverDialog({ webhookId, since, onClose }: RecoverDialogProps) {
  const announce = useAnnounce();
  const check = useFailedCount(webhookId);
  const recovery = useRecovery(webhookId);
  const [draft, setDraft] = useState(() => newRecovery(since));
  const [problems, setProblems] = useState<Partial<Record<RecoveryField, string>>>({});
  const found = check.data?.deliveries;
  const count = useEffectEvent(() => void (since && check.mutate(recoveryOf(draft))));
  useEffect(() => count(), []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const wrong = { ...recoveryProblems(draft), ...unfinishedTimes(event.currentTarget) };
    const [first] = FIELDS.filter((field) => wrong[field] !== undefined);
    setProblems(wrong);
    if (first !== undefined) {
      inputOf(event.currentTarget, first)?.focus();
      return;
    }
    // What is counted anew is sent from its beginning.
    recovery.reset();
    check.mutate(recoveryOf(draft));
  }

  function send(): void {
    // No mutation callbacks, which are dropped: who has left the page is told how far it went.
    recovery.send(recoveryOf(draft)).then(
      ({ sent: count, cursor }) => {
        const text = cursor === null ? webhookDialogTexts.onTheWay : webhookDialogTexts.stopped;
        announce({ kind: 'good', text: fill(text, { count }) });
        onClose();
      },
      // The dialog shows why.
      () => undefined,
    );
  }

  /** What every field has: its value, its fault, and a change that makes the count out of date. */
  const propsOf = (field: RecoveryField) => ({
    name: field,
    value: draft[field],
    error: problems[field] ?? fieldMessage(check.error, field),
    disabled: recovery.isPending,
    onChange({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) {
      setDraft({ ...draft, [field]: value });
      setProblems({});
      check.reset();
      recovery.reset();
    },
  });
  const isOfField = FIELDS.some((field) => fieldMessage(check.error, field) !== null);

  return (
    <PanelDialog
      onClose={onClose}
      title={webhookDialogTexts.recover}
      centered
      isDismissible={!recovery.isPending}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <RecoveryFields propsOf={propsOf} />
          {found !== undefined && recovery.isAtBeginning && <FoundCount count={found} />}
          {check.error && !isOfField ? (
            <ProblemAlert title={webhookDialogTexts.notChecked} error={check.error} />
          ) : null}
          <RecoveryProgress recovery={recovery} />
          <Group justify="flex-end">
            {recovery.isPending ? (
              <Button variant="default" disabled={recovery.isStopping} onClick={recovery.stop}>
                {webhookDialogTexts.stop}
              </Button>
            ) : (
              <Button variant="default" onClick={onClose}>
                {uiTexts.cancel}
              </Button>
            )}
            <Button
              type="submit"
              variant={found ? 'default' : 'filled'}
              loading={check.isPending}
              disabled={recovery.isPending}
            >
              {webhookDialogTexts.seeHowMany}
            </Button>
            {found ? (
              <Button loading={recovery.isPending} onClick={send}>
                {recovery.isAtBeginning
                  ? fill(webhookDialogTexts.sendAgain, { count: found })
                  : webhookDialogTexts.sendRest}
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </PanelDialog>
  );
}

/** How many there are, as long as none of them was sent. */
function FoundCount({ count }: { readonly count: number }) {
  return (
    <Alert color={count === 0 ? 'gray' : 'indigo'} icon={<IconInfoCircle />} role="status">
      {count === 0 ? webhookDialogTexts.nothingFailed : fill(webhookDialogTexts.wouldSend, { count })}
    </Alert>
  );
}

interface RecoveryProgressProps {
  readonly recovery: ReturnType<typeof useRecovery>;
}

/** How many were sent so far, and why it did not go on. */
function RecoveryProgress({ recovery: { error, isPending, sent } }: RecoveryProgressProps) {
  return (
    <>
      <Text size="sm" role="status">
        {isPending && sent > 0 && fill(webhookDialogTexts.sentSoFar, { count: sent })}
      </Text>
      {error ? (
        <ProblemAlert
          title={isAnswerLost(error) ? uiTexts.maybeDone : webhookDialogTexts.notAllSent}
          error={error}
          {...(sent > 0 && { advice: fill(webhookDialogTexts.sentBefore, { count: sent }) })}
        />
      ) : null}
    </>
  );
}

interface RecoveryFieldsProps {
  readonly propsOf: (field: RecoveryField) => TextInputProps;
}

/** Which deliveries are sent again. */
function RecoveryFields({ propsOf }: RecoveryFieldsProps) {
  return (
    <>
      <Text size="sm">{webhookDialogTexts.recoverAdvice}</Text>
      <TextInput
        type="datetime-local"
        label={webhookDialogTexts.since}
        description={webhookDialogTexts.inYourZone}
        required
        max={localInputValue(new Date())}
        {...propsOf('since')}
      />
      <TextInput
        type="datetime-local"
        label={webhookDialogTexts.until}
        description={webhookDialogTexts.withoutEnd}
        {...propsOf('until')}
      />
      <TextInput
        label={webhookDialogTexts.onlyEvents}
        description={webhookDialogTexts.onlyEventsHint}
        autoCapitalize="none"
        spellCheck={false}
        {...propsOf('events')}
      />
    </>
  );
}

/**
 * The value of a time is empty while a part of it is missing, which must not mean "without end".
 */
function unfinishedTimes(form: HTMLFormElement): Partial<Record<RecoveryField, string>> {
  const unfinished = FIELDS.filter((field) => inputOf(form, field)?.validity.badInput);
  return Object.fromEntries(unfinished.map((field) => [field, webhookDialogTexts.noDate]));
}

function inputOf(form: HTMLFormElement, field: RecoveryField): HTMLInputElement | undefined {
  const input = form.elements.namedItem(field);
  return input instanceof HTMLInputElement ? input : undefined;
}
