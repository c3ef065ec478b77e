import { Paper, Pill, Text, Title } from '@mantine/core';
import { useId } from 'react';
import type { WebhookDetail } from '../api/records.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { ExactInstant } from '../ui/instant.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { webhookTexts } from './webhook-texts.ts';

/** The recorded data of the webhook itself. */
export function WebhookFacts({ webhook }: { readonly webhook: WebhookDetail }) {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId} mb="xs">
        {webhookTexts.about}
      </Title>
      <dl className="facts">
        <dt>{webhookTexts.url}</dt>
        <dd className="long-text">{webhook.url}</dd>
        <dt>{webhookTexts.events}</dt>
        <dd>
          <Pill.Group>
            {webhook.events.map((pattern) => (
              <Pill key={pattern} className="pattern">
                {pattern === '*' ? uiTexts.everyEvent : pattern}
              </Pill>
            ))}
          </Pill.Group>
        </dd>
        <dt>{webhookTexts.registered}</dt>
        <dd>
          {webhook.created_by_uid === null ? (
            <ExactInstant at={webhook.created_at} />
          ) : (
            fillNodes(webhookTexts.registeredBy, {
              time: <ExactInstant at={webhook.created_at} />,
              uid: webhook.created_by_uid,
            })
          )}
        </dd>
        <dt>{webhookTexts.lastChanged}</dt>
        <dd>
          <ExactInstant at={webhook.updated_at} />
        </dd>
        <dt>{webhookTexts.number}</dt>
        <dd>{webhook.id}</dd>
        <dt>{webhookTexts.secret}</dt>
        <dd>
          <Text size="sm" component="span">
            {webhookTexts.secretAdvice}
          </Text>
        </dd>
      </dl>
    </Paper>
  );
}
