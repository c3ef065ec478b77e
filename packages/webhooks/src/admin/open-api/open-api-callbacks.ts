import type { KnownEvent } from '../../events/catalog.ts';

type Json = Readonly<Record<string, unknown>>;

/** A header of a callback, for documents. What is sent is decided by `createDeliveryHeaders`; a test compares them. */
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
    description: 'The same with the secret before the last rotation, for 24 hours after it.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  'X-Webhook-Event': {
    required: true,
    description: 'The event. Trust `type` of the body instead, which is signed.',
    schema: { type: 'string' },
  },
  'X-Webhook-Attempt': {
    required: true,
    description: 'The number of this attempt, from 1.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
  },
  'webhook-id': {
    required: false,
    description: 'As `X-Webhook-ID`: the header set of Standard Webhooks, unless the host turned it off.',
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
      'One or two entries `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the decoded secret; the second with the one before.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
  },
};

/** Where the schema of an event's callback body stands in the document. */
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

/** What recipients are sent, by event: the `webhooks` member of the document. */
export function callbackOperations(events: readonly KnownEvent[]): Json {
  const parameters = Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const operations = events.map(({ name, label }) => {
    const schema = { $ref: `#/components/schemas/${callbackSchemaName(name)}` };
    const post = {
      tags: ['Callbacks'],
      summary: label,
      description: `Sent to every active webhook with a pattern that selects \`${name}\`.`,
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Delivered. The body plays no part; the first 4,096 bytes are kept.' },
        default: {
          description:
            'Not delivered, redirects included: sent again later, until the attempts are used up. `Retry-After` of 429 and 503 counts up to an hour.',
        },
      },
    };
    return [name, { post }];
  });
  return Object.fromEntries(operations);
}
