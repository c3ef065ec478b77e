import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { VisibleText } from './visible-text.tsx';
import { WebhookUrl } from './webhook-url.tsx';

interface WebhookLinkProps {
  readonly webhook: { readonly id: number; readonly name: string; readonly url: string };
  /** Why it is listed. */
  readonly reason: string;
}

/** One of the webhooks that an event concerns. */
export function WebhookLink({ webhook: { id, name, url }, reason }: WebhookLinkProps) {
  return (
    <>
      <Anchor
        component={Link}
        href={`/${id}`}
        display="block"
        size="sm"
        fw={600}
        className="long-text"
        aria-label={name || url}
        title={name || url}
      >
        {name === '' ? <WebhookUrl url={url} /> : <VisibleText text={name} />}
      </Anchor>
      <Text size="sm" c="dimmed" className="long-text">
        {reason}
      </Text>
    </>
  );
}
