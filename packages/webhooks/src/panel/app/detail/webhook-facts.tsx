import { Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import type { WebhookDetail } from '../api/records.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { ExactInstant } from '../ui/instant.tsx';
import { PatternPills } from '../ui/pattern-pills.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { webhookTexts } from './webhook-texts.ts';

/** The recorded data of the webhook itself. */
export function WebhookFacts({ webhook }: { readonly webhook: WebhookDetail }) {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId} mb="xs">
        {webhookTexts.about}
      </Title>
      <dl className="facts">
        {webhook.tenant !== undefined && (
          <>
            <dt>{webhookTexts.customer}</dt>
            <dd>
              <VisibleText text={webhook.tenant} />
            </dd>
          </>
        )}
        <dt>{webhookTexts.url}</dt>
        <dd className="long-text">
          <VisibleText text={webhook.url} />
        </dd>
        <dt>{webhookTexts.events}</dt>
        <dd>
          <PatternPills patterns={webhook.events} />
        </dd>
        {webhook.max_per_minute !== null && (
          <>
            <dt>{webhookTexts.limit}</dt>
            <dd>{fill(webhookTexts.maxPerMinute, { count: webhook.max_per_minute })}</dd>
          </>
        )}
        <dt>{webhookTexts.registered}</dt>
        <dd>
          <Registration webhook={webhook} />
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

/** When and by whom it was registered. A name of any script leaves the order of the rest alone. */
function Registration({ webhook }: { readonly webhook: WebhookDetail }) {
  const { created_by_uid: uid, created_by_name: name } = webhook;
  const time = <ExactInstant at={webhook.created_at} />;
  if (uid === null || uid === undefined) return time;
  const facts = { time, uid: <VisibleText text={uid} /> };
  if (name === null || name === undefined) return fillNodes(webhookTexts.registeredBy, facts);
  return fillNodes(webhookTexts.registeredByName, { ...facts, name: <VisibleText text={name} /> });
}
