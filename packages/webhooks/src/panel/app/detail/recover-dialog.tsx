import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useRecover } from '../api/webhook-actions.ts';
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
  readonly onClose: () => void;
}

const FIELDS: readonly RecoveryField[] = ['since', 'until', 'events'];

/** Sends failed deliveries again, after it has shown how many there are. */
export function RecoverDialog({ webhookId, onClose }: RecoverDialogProps) {
  const announce = useAnnounce();
  const check = useRecover(webhookId);
  const recover = useRecover(webhookId);
  const [draft, setDraft] = useState(newRecovery);
  const [problems, setProblems] = useState<Partial<Record<RecoveryField, string>>>({});
  const found = check.data?.deliveries;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const wrong = { ...recoveryProblems(draft), ...unfinishedTimes(event.currentTarget) };
    const [first] = FIELDS.filter((field) => wrong[field] !== undefined);
    setProblems(wrong);
    if (first === undefined) check.mutate({ ...recoveryOf(draft), dry_run: true });
    else inputOf(event.currentTarget, first)?.focus();
  }

  function send(): void {
    const onSuccess = ({ deliveries }: { readonly deliveries: number }) => {
      announce({ kind: 'good', text: fill(webhookDialogTexts.onTheWay, { count: deliveries }) });
      onClose();
    };
    recover.mutate({ ...recoveryOf(draft), dry_run: false }, { onSuccess });
  }

  /** What every field has: its value, its fault, and a change that makes the count out of date. */
  const propsOf = (field: RecoveryField) => ({
    name: field,
    value: draft[field],
    error: problems[field] ?? fieldMessage(check.error, field),
    onChange({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) {
      setDraft({ ...draft, [field]: value });
      setProblems({});
      check.reset();
      recover.reset();
    },
  });
  const isOfField = FIELDS.some((field) => fieldMessage(check.error, field) !== null);

  return (
    <PanelDialog onClose={onClose} title={webhookDialogTexts.recover} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
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
          {found !== undefined && (
            <Alert color={found === 0 ? 'gray' : 'indigo'} icon={<IconInfoCircle />} role="status">
              {found === 0
                ? webhookDialogTexts.nothingFailed
                : fill(webhookDialogTexts.wouldSend, { count: found })}
            </Alert>
          )}
          {check.error && !isOfField ? (
            <ProblemAlert title={webhookDialogTexts.notChecked} error={check.error} />
          ) : null}
          {recover.error ? (
            <ProblemAlert title={webhookDialogTexts.notAllSent} error={recover.error} />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {uiTexts.cancel}
            </Button>
            <Button type="submit" variant={found ? 'default' : 'filled'} loading={check.isPending}>
              {webhookDialogTexts.seeHowMany}
            </Button>
            {found ? (
              <Button loading={recover.isPending} onClick={send}>
                {fill(webhookDialogTexts.sendAgain, { count: found })}
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </PanelDialog>
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
