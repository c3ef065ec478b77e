import { z } from 'zod';
import { HEALTH_LEVELS } from '../../storage/failure-run.ts';
import { WEBHOOK_FIELDS, WEBHOOK_WORDS, type Webhook } from '../../storage/webhook-record.ts';
import { documented } from '../open-api/documentation.ts';
import {
  webhookDetailExample,
  webhookExample,
  webhookPageExample,
  webhookWithSecretExample,
} from '../open-api/examples.ts';
import { answerFields, count, deliveryId, status, tenant, timestamp } from './answer-fields.ts';

/** The schemas of the admin API's answers about webhooks, in wire spelling. */

const secret = documented(z.string().regex(/^whsec_[A-Za-z0-9+/]{32}$/), {
  description: 'The signing secret. Store it now: it is never shown again.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});

const webhookFields = z.strictObject({
  ...answerFields<typeof WEBHOOK_FIELDS, Webhook>(WEBHOOK_FIELDS, WEBHOOK_WORDS),
  tenant,
  created_by_name: documented(z.string().nullable(), {
    audience: 'administrators',
    description: 'The name of its creator, as the host gives it; null if it gives none.',
  }),
});

export const webhook = documented(webhookFields, {
  id: 'Webhook',
  examples: [webhookExample],
  description: 'A registered webhook.',
});

export const webhookWithSecret = documented(webhookFields.extend({ secret }), {
  id: 'WebhookWithSecret',
  examples: [webhookWithSecretExample],
  description: 'A webhook with its new secret, which is shown only in this answer.',
});

export const rotatedWebhook = documented(webhookFields.extend({ secret: secret.optional() }), {
  id: 'RotatedWebhook',
  examples: [webhookWithSecretExample],
  description:
    'A webhook with its new secret, or without one where the rotation only ended the previous one.',
});

const health = documented(
  z.strictObject({
    success: documented(count, {
      description:
        'Deliveries created in the last 24 hours, the hour in which those began included, by outcome.',
    }),
    failed: count,
    success_rate: documented(z.number().min(0).max(1).nullable(), {
      description: '`success` of both, from 0 to 1; null if none has ended.',
    }),
    level: documented(z.enum(HEALTH_LEVELS), {
      description:
        '`down`: at least three deliveries failed, and none has succeeded since the first of them; or the recipient has asked to wait for an hour. `degraded`: less than 95 % of the above succeeded, or the recipient has asked to wait for ten minutes. Otherwise `healthy`. Deliveries that were never sent and tests do not take a webhook down.',
    }),
    is_recovering: documented(z.boolean(), {
      description: 'Whether an outage is over, and what failed in it is being sent again by itself.',
    }),
    down_since: documented(timestamp.nullable(), {
      description:
        'When the first of these failures ended, or the recipient first asked to wait; null unless it is down.',
    }),
    busy_since: documented(timestamp.nullable(), {
      description:
        'Since when the recipient asks to wait (429, or 503 with `Retry-After`), and none has succeeded; null if it does not.',
    }),
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
  }),
  { id: 'WebhookHealth', description: 'How its deliveries have ended lately.' },
);

const concurrency = documented(
  z
    .strictObject({
      limit: documented(z.int().min(0), {
        description: 'Attempts at once now; it grows with successes and falls with failures.',
      }),
      max: documented(z.int().min(1), { description: 'The highest limit.' }),
      is_slow: documented(z.boolean(), {
        description:
          'Whether its last attempt got no answer or took longer than a second: all such webhooks share a quarter of the slots.',
      }),
    })
    .nullable(),
  {
    audience: 'administrators',
    description:
      'What the process that answers knows of its speed. Null if that process does not deliver, or has sent nothing to it lately; others may know more.',
  },
);

export const webhookDetail = documented(
  webhookFields.extend({
    stats: documented(z.strictObject({ total: count, success: count, failed: count, pending: count }), {
      id: 'DeliveryCounts',
      description:
        'Its retained deliveries by status; `total` is their sum. `pending` is exact up to 100,000; 100,001 stands for any larger number.',
    }),
    health,
    disables_at: documented(timestamp.nullable(), {
      description:
        'When it is deactivated at the earliest, unless a delivery succeeds before; null unless it is down and webhooks are deactivated automatically.',
    }),
    concurrency,
    busy_until: documented(timestamp.nullable(), {
      description:
        'Until when nothing is sent, since its recipient asked to wait, by 429, or by 503 with `Retry-After`; null otherwise.',
    }),
  }),
  {
    id: 'WebhookDetail',
    examples: [webhookDetailExample],
    description: 'A webhook with the counts of its deliveries.',
  },
);

const listedWebhook = documented(
  webhookFields.extend({
    last_delivery: documented(
      z
        .strictObject({
          delivery_id: deliveryId,
          event: z.string(),
          status,
          error: documented(z.string(), {
            description:
              'What its last attempt failed with, as in the history; empty after none, or a success.',
          }),
          created_at: timestamp,
        })
        .nullable(),
      { description: 'The newest delivery; null if none is retained.' },
    ),
    health,
  }),
  { id: 'ListedWebhook', description: 'A webhook with its newest delivery and its health.' },
);

export const webhookPage = documented(
  z.strictObject({
    webhooks: z.array(listedWebhook),
    total: documented(z.int().min(0), { description: 'How many webhooks match in all.' }),
    limit: count,
    offset: count,
  }),
  { id: 'WebhookPage', examples: [webhookPageExample], description: 'One page of webhooks.' },
);

export const tenantPage = documented(
  z.strictObject({
    tenants: z.array(
      documented(
        z.strictObject({
          tenant: documented(z.string(), { examples: ['acme'] }),
          webhooks: documented(z.int().min(1), { description: 'How many webhooks it has.' }),
          active: documented(count, { description: 'How many of them are active.' }),
        }),
        { id: 'Tenant', description: 'A customer that has webhooks.' },
      ),
    ),
    next: documented(z.string().nullable(), {
      description: 'What `after` takes for the next page; null on the last one.',
    }),
  }),
  {
    id: 'TenantPage',
    examples: [{ tenants: [{ tenant: 'acme', webhooks: 3, active: 2 }], next: 'acme' }],
    description: 'One page of the customers that have webhooks, in the order of their bytes.',
  },
);

export const changes = documented(
  z.strictObject({
    version: documented(z.string().min(1), {
      description: 'Opaque: another text than before if something changed.',
    }),
  }),
  { id: 'Changes', examples: [{ version: '12-340' }], description: 'Whether anything changed.' },
);
