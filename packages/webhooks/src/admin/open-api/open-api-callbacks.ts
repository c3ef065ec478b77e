import type { KnownEvent } from '../../events/catalog.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The headers of a callback. `createDeliveryHeaders` decides what is sent; a test compares the two.
 */
const HEADERS: Readonly<
  Record<string, { readonly required: boolean; readonly description: string; readonly schema: Json }>
> = {
  'X-Webhook-ID': {
    required: true,
    description: 'The delivery, the same on every attempt and redelivery: deduplicate on it.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'X-Webhook-Timestamp': {
    required: true,
    description: 'Unix seconds of when the delivery was created.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'X-Webhook-Signature': {
    required: true,
    description:
      'HMAC-SHA256 in hex of `<X-Webhook-ID>.<X-Webhook-Timestamp>.<body>`, keyed with the whole text of the secret.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  'X-Webhook-Signature-Previous': {
    required: false,
    description: 'The same with the secret before the last rotation, for 24 hours after the rotation.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  'X-Webhook-Event': {
    required: true,
    description: 'The event. It is not signed: trust `type` of the body instead.',
    schema: { type: 'string' },
  },
  'X-Webhook-Attempt': {
    required: true,
    description: 'The number of this attempt, from 1.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
  },
  'X-Webhook-Test': {
    required: false,
    description: '`1` if it was sent as a test. It is not signed.',
    schema: { type: 'string', const: '1' },
  },
  'webhook-id': {
    required: false,
    description:
      'The same as `X-Webhook-ID`. The header set of Standard Webhooks is sent unless the host turned it off.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'webhook-timestamp': {
    required: false,
    description: 'Unix seconds of this attempt.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'webhook-signature': {
    required: false,
    description:
      'One or two entries `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the decoded secret. The second is made with the previous secret.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
  },
};

/** The name of the schema of an event's callback body. */
export function callbackSchemaName(event: string): string {
  return `callback.${event}`;
}

/** The headers of callbacks as parameters by name, for `components.parameters`. */
export function callbackParameters(): Json {
  const parameters = Object.entries(HEADERS).map(([name, header]) => [
    name,
    { name, in: 'header', ...header },
  ]);
  return Object.fromEntries(parameters);
}

/** The callbacks by event: the `webhooks` member of the document. */
export function callbackOperations(events: readonly KnownEvent[]): Json {
  const parameters = Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const operations = events.map(({ name, label }) => {
    const schema = { $ref: `#/components/schemas/${callbackSchemaName(name)}` };
    const post = {
      tags: ['Callbacks'],
      summary: label,
      description: `Sent to every active webhook with a pattern that matches \`${name}\`.`,
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Delivered. The body is ignored; its first 4,096 bytes are kept.' },
        default: {
          description:
            'Not delivered, redirects included. It is sent again later until the attempts are used up. After a 429, or a 503 with `Retry-After`, the webhook waits for as long as that asks, up to an hour, and the attempt does not count.',
        },
      },
    };
    return [name, { post }];
  });
  return Object.fromEntries(operations);
}
