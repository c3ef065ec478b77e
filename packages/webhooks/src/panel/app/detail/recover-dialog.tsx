import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useRecover } from '../api/webhook-actions.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { fieldWords } from '../words/problem-words.ts';
import { countOf } from '../words/webhook-words.ts';
import { localInputValue } from './local-input-value.ts';

interface RecoverDialogProps {
  readonly webhookId: number;
  readonly onClose: () => void;
}

const DAY_MS = 86_400_000;

/** Sends failed deliveries again, after saying how many those are. */
export function RecoverDialog({ webhookId, onClose }: RecoverDialogProps) {
  const announce = useAnnounce();
  const check = useRecover(webhookId);
  const recover = useRecover(webhookId);
  const [since, setSince] = useState(() => localInputValue(new Date(Date.now() - DAY_MS)));
  const [problem, setProblem] = useState<string | null>(null);
  const found = check.data?.deliveries;

  function submit(event: FormEvent): void {
    event.preventDefault();
    // A year of five digits is one that the field takes and Date does not.
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
            After an outage of the recipient: everything that failed since a time is sent again, under the
            same ids. First see how many there are; nothing is sent by that.
          </Text>
          <TextInput
            type="datetime-local"
            label="Failed deliveries created since"
            description="In your time zone"
            required
            max={localInputValue(new Date())}
            value={since}
            error={problem ?? fieldWords(check.error, 'since')}
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
                ? 'Nothing has failed since then. Choose an earlier time, if you expected something.'
                : `${countOf(found, 'failed delivery', 'failed deliveries')} would be sent again.`}
            </Alert>
          )}
          {check.error && fieldWords(check.error, 'since') === null ? (
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
