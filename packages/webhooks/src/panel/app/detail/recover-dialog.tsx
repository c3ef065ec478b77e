import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useRecover } from '../api/webhook-actions.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { countOf } from '../messages/webhook-text.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { localInputValue } from './local-input-value.ts';

interface RecoverDialogProps {
  readonly webhookId: number;
  readonly onClose: () => void;
}

const DAY_MS = 86_400_000;

/** Sends failed deliveries again, after it has shown how many there are. */
export function RecoverDialog({ webhookId, onClose }: RecoverDialogProps) {
  const announce = useAnnounce();
  const check = useRecover(webhookId);
  const recover = useRecover(webhookId);
  const [since, setSince] = useState(() => localInputValue(new Date(Date.now() - DAY_MS)));
  const [problem, setProblem] = useState<string | null>(null);
  const found = check.data?.deliveries;

  function submit(event: FormEvent): void {
    event.preventDefault();
    // The field accepts years of five digits, which Date does not.
    if (Number.isNaN(Date.parse(since))) setProblem('Enter a date and a time.');
    else check.mutate({ since: new Date(since).toISOString(), dry_run: true });
  }

  function send(): void {
    const onSuccess = ({ deliveries }: { readonly deliveries: number }) => {
      announce({ kind: 'good', text: `${countOf(deliveries, 'delivery', 'deliveries')} on the way again.` });
      onClose();
    };
    recover.mutate({ since: new Date(since).toISOString(), dry_run: false }, { onSuccess });
  }

  return (
    <PanelDialog onClose={onClose} title="Recover failed deliveries" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            After an outage of the recipient, send everything that has failed since a given time again, under
            the same ids. First see how many deliveries there are; that sends nothing.
          </Text>
          <TextInput
            type="datetime-local"
            label="Failed deliveries created since"
            description="In your time zone"
            required
            max={localInputValue(new Date())}
            value={since}
            error={problem ?? fieldMessage(check.error, 'since')}
            onChange={({ currentTarget }) => {
              setSince(currentTarget.value);
              setProblem(null);
              check.reset();
              recover.reset();
            }}
          />
          {found !== undefined && (
            <Alert color={found === 0 ? 'gray' : 'indigo'} icon={<IconInfoCircle />} role="status">
              {found === 0
                ? 'Nothing has failed since then. If you expected something, choose an earlier time.'
                : `${countOf(found, 'failed delivery', 'failed deliveries')} would be sent again.`}
            </Alert>
          )}
          {check.error && fieldMessage(check.error, 'since') === null ? (
            <ProblemAlert title="That could not be checked" error={check.error} />
          ) : null}
          {recover.error ? <ProblemAlert title="Nothing was sent" error={recover.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" variant={found ? 'default' : 'filled'} loading={check.isPending}>
              See how many
            </Button>
            {found ? (
              <Button loading={recover.isPending} onClick={send}>
                Send {found.toLocaleString()} again
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </PanelDialog>
  );
}
