import { Paper, Pill, Text, Title } from '@mantine/core';
import { useId } from 'react';
import type { WebhookDetail } from '../api/records.ts';
import { ExactInstant } from '../ui/instant.tsx';

/** The recorded data of the webhook itself. */
export function WebhookFacts({ webhook }: { readonly webhook: WebhookDetail }) {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId} mb="xs">
        About this webhook
      </Title>
      <dl className="facts">
        <dt>URL</dt>
        <dd className="long-text">{webhook.url}</dd>
        <dt>Events</dt>
        <dd>
          <Pill.Group>
            {webhook.events.map((pattern) => (
              <Pill key={pattern} className="pattern">
                {pattern === '*' ? '* (every event)' : pattern}
              </Pill>
            ))}
          </Pill.Group>
        </dd>
        <dt>Registered</dt>
        <dd>
          <ExactInstant at={webhook.created_at} />
          {webhook.created_by_uid === null ? '' : ` by administrator ${webhook.created_by_uid}`}
        </dd>
        <dt>Last changed</dt>
        <dd>
          <ExactInstant at={webhook.updated_at} />
        </dd>
        <dt>Number</dt>
        <dd>{webhook.id}</dd>
        <dt>Secret</dt>
        <dd>
          <Text size="sm" component="span">
            Shown once, when it was created. If it is lost, rotate it.
          </Text>
        </dd>
      </dl>
    </Paper>
  );
}
