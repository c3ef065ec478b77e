import { Alert, Anchor, Badge, Skeleton, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ExplainedWebhook } from '../api/records.ts';
import { useExplanation } from '../api/webhook-queries.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { ListPager } from './list-pager.tsx';

const PAGE_SIZE = 20;

/** Shows for each webhook whether it receives an event, and why. */
export function ExplainResult({ event }: { readonly event: string }) {
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useExplanation(event, offset, PAGE_SIZE);
  if (error) {
    return <ProblemAlert title="It could not be explained" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton height={80} mt="md" aria-label="Loading" />;
  return (
    <Stack gap="sm" mt="md" aria-live="polite">
      {!data.known && (
        <Alert color="yellow" title="No event of this name is known">
          It is sent nevertheless if the application dispatches it under exactly this name. Check the
          spelling, including upper and lower case.
        </Alert>
      )}
      <ul className="explained" aria-label={`Webhooks and ${event}`}>
        {data.webhooks.map((webhook) => (
          <li key={webhook.id}>
            <Badge
              color={webhook.receives ? 'teal' : 'gray'}
              variant="light"
              className="badge"
              leftSection={
                webhook.receives ? <IconCheck size={12} stroke={3} /> : <IconX size={12} stroke={3} />
              }
            >
              {webhook.receives ? 'Gets it' : 'Does not'}
            </Badge>
            <div>
              <Anchor component={Link} href={`/${webhook.id}`} size="sm" fw={600} className="long-text">
                {webhook.url}
              </Anchor>
              <Text size="sm" c="dimmed" className="long-text">
                {reasonText(webhook)}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      <ListPager label="Pages of the explanation" page={data} onOffset={setOffset} />
    </Stack>
  );
}

function reasonText(webhook: ExplainedWebhook): string {
  const matched = webhook.matched_patterns.join(', ');
  if (webhook.receives) return `Its pattern ${matched} matches.`;
  const patterns = webhook.events.join(', ');
  if (!webhook.is_active && matched !== '')
    return `Its pattern ${matched} matches, but it is paused. Activate it.`;
  const paused = webhook.is_active ? '' : ' It is paused, too.';
  return `None of its patterns matches: ${patterns}. Edit it and add the event.${paused}`;
}
