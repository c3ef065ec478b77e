import { Alert, Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import type { RecoveryRange } from '../api/records.ts';
import { useFailedCount, useRecovery } from '../api/recovery.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { localInputValue } from './local-input-value.ts';
import { webhookDialogTexts } from './webhook-texts.ts';

interface RecoverDialogProps {
  readonly webhookId: number;
  /** Counts at once what was created since then. Default: asks first. */
  readonly since?: string | undefined;
  readonly onClose: () => void;
}

/**
 * What the fields hold: times as `<input type="datetime-local">` gives them, in the viewer's zone.
 */
interface RecoveryDraft {
  readonly since: string;
  /** Empty: without end. */
  readonly until: string;
  /** Names with commas or white space between them. Empty: all events. */
  readonly events: string;
}

const FIELDS = ['since', 'until', 'events'] as const;
const DAY_MS = 86_400_000;

/** Sends failed deliveries again, after it has shown how many there are. */
export function RecoverDialog({ webhookId, since, onClose }: RecoverDialogProps) {
  const announce = useAnnounce();
  const check = useFailedCount(webhookId);
  const recovery = useRecovery(webhookId);
  const [draft, setDraft] = useState(() => newDraft(since));
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const found = check.data?.deliveries;
  const count = useEffectEvent(() => void (since && check.mutate(rangeOf(draft))));
  useEffect(() => count(), []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const inputs = [...event.currentTarget.querySelectorAll('input')].filter((input) => !isComplete(input));
    setWrong(inputs.map(({ name }) => name));
    inputs[0]?.focus();
    if (inputs.length > 0) return;
    // What is counted anew is sent from its beginning.
    recovery.reset();
    check.mutate(rangeOf(draft));
  }

  function send(): void {
    // No mutation callbacks, which are dropped: who has left the page is told how far it went.
    recovery.send(rangeOf(draft)).then(
      ({ sent: count, cursor }) => {
        const text = cursor === null ? webhookDialogTexts.onTheWay : webhookDialogTexts.stopped;
        announce(fill(text, { count }));
        onClose();
      },
      // The dialog shows why.
      () => undefined,
    );
  }

  /** What every field has: its value, its fault, and a change that makes the count out of date. */
  const propsOf = (field: keyof RecoveryDraft) => ({
    name: field,
    value: draft[field],
    error: wrong.includes(field) ? webhookDialogTexts.noDate : fieldMessage(check.error, field),
    disabled: recovery.isPending,
    onChange({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) {
      setDraft({ ...draft, [field]: value });
      setWrong([]);
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
          {found !== undefined && recovery.isAtBeginning && (
            <Alert color={found === 0 ? 'gray' : 'indigo'} icon={<IconInfoCircle />} role="status">
              {found === 0
                ? webhookDialogTexts.nothingFailed
                : fill(webhookDialogTexts.wouldSend, { count: found })}
            </Alert>
          )}
          {!isOfField && <ProblemAlert title={webhookDialogTexts.notChecked} error={check.error} />}
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

/** Which deliveries are sent again. */
function RecoveryFields({ propsOf }: { readonly propsOf: (field: keyof RecoveryDraft) => TextInputProps }) {
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
      <ProblemAlert
        title={webhookDialogTexts.notAllSent}
        lostTitle={uiTexts.maybeDone}
        error={error}
        {...(sent > 0 && { advice: fill(webhookDialogTexts.sentBefore, { count: sent }) })}
      />
    </>
  );
}

/**
 * False for a time of which a part is missing, whose value is empty and must not mean "without
 * end", and for a year of five digits, which the field accepts and Date does not.
 */
function isComplete({ type, value, required, validity }: HTMLInputElement): boolean {
  if (type !== 'datetime-local') return true;
  return value === '' ? !required && !validity.badInput : !Number.isNaN(Date.parse(value));
}

/** What was created since then. Default: the last day. */
function newDraft(since?: string): RecoveryDraft {
  const start = since ? Date.parse(since) : Date.now() - DAY_MS;
  return { since: localInputValue(new Date(start)), until: '', events: '' };
}

/** The request of a draft whose times are complete. */
function rangeOf({ since, until, events }: RecoveryDraft): RecoveryRange {
  const names = events.split(/[\s,]+/).filter((name) => name !== '');
  return {
    since: new Date(since).toISOString(),
    ...(until !== '' && { until: new Date(until).toISOString() }),
    ...(names.length > 0 && { events: [...new Set(names)] }),
  };
}
