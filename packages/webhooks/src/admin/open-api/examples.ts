import { DELIVERY_FIELDS } from '../../storage/delivery-record.ts';
import type { Fields } from '../../storage/field.ts';
import { WEBHOOK_FIELDS } from '../../storage/webhook-record.ts';

/** The examples of the OpenAPI document. A test validates each against its schema. */

const DELIVERY_ID = '5f0c3a4b6d7e8f90123456789abcdef0';
const CREATED_AT = '2026-11-20T04:10:00.123Z';

function exampleOf<const All extends Fields>(fields: All) {
  return Object.fromEntries(Object.values(fields).map(({ column, example }) => [column, example]));
}

const { tenant: _, ...ownWebhook } = exampleOf(WEBHOOK_FIELDS);

/** Of the application itself: without a tenant. */
export const webhookExample = { ...ownWebhook, created_by_name: 'Ada Lovelace' };

export const webhookWithSecretExample = {
  ...webhookExample,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
};

const health = {
  success: 117,
  failed: 3,
  success_rate: 0.975,
  level: 'healthy',
  down_since: null,
  busy_since: null,
  is_recovering: false,
  last_success_at: '2026-11-20T04:09:58.002Z',
  last_failure_at: '2026-11-20T03:51:12.640Z',
};

export const webhookDetailExample = {
  ...webhookExample,
  stats: { total: 120, success: 117, failed: 2, pending: 1 },
  health,
  disables_at: null,
  concurrency: { limit: 8, max: 8, is_slow: false },
  busy_until: null,
};

export const webhookPageExample = {
  webhooks: [
    {
      ...webhookExample,
      last_delivery: {
        delivery_id: DELIVERY_ID,
        event: 'user.created',
        status: 'pending',
        error: 'http_503',
        created_at: CREATED_AT,
      },
      health,
    },
  ],
  total: 1,
  limit: 50,
  offset: 0,
};

const summary = { ...exampleOf(DELIVERY_FIELDS), is_test: false };

export const deliveryPageExample = { deliveries: [summary], next_cursor: null, scanned_until: null };

export const deliverySearchExample = {
  deliveries: [{ ...summary, webhook_url: 'https://hooks.example.com/in', webhook_name: 'Billing' }],
  next_cursor: null,
  scanned_until: null,
};

export const deliveryExample = {
  ...summary,
  payload: { id: 42 },
  request: {
    attempt: 1,
    headers: {
      Accept: '*/*',
      'Content-Type': 'application/json',
      'User-Agent': 'acme-webhooks/0.0.0',
      'X-Webhook-ID': DELIVERY_ID,
      'X-Webhook-Timestamp': '1795147800',
      'X-Webhook-Event': 'user.created',
      'X-Webhook-Attempt': '1',
      'webhook-id': DELIVERY_ID,
      'webhook-timestamp': '1795147800',
    },
    omitted_headers: ['X-Webhook-Signature', 'webhook-signature'],
  },
  attempt_log: [
    {
      attempt: 1,
      started_at: '2026-11-20T04:10:00.130Z',
      duration_ms: 84,
      status_code: 503,
      error: 'deferred',
      detail: '',
      deferrals: { count: 1, since: '2026-11-20T04:10:00.130Z' },
      response_headers: { 'content-type': 'text/plain', 'retry-after': '30' },
      response_body: 'try again later',
    },
  ],
};

export const receiptExample = { delivery_id: DELIVERY_ID, status: 'pending' };

export const recoveryExample = { deliveries: 12, next_cursor: null, dry_run: false };

const ANSWERS = { attempts: 200, since: '2026-11-20T04:02:11.080Z', median_ms: 84, p95_ms: 412 };

export const activityOfAllExample = {
  interval: 'hour',
  from: '2026-11-20T04:00:00.000Z',
  to: '2026-11-20T05:00:00.000Z',
  activity: [{ start: '2026-11-20T04:00:00.000Z', success: 117, failed: 2, pending: 1 }],
};

export const activityExample = { ...activityOfAllExample, answers: ANSWERS };

export const overviewExample = {
  delivered: { success: 981, failed: 39, rate: 0.96176 },
  answers: ANSWERS,
  day_before: { rate: 0.99412, p95_ms: 398 },
  waiting: { count: 4, recent: 4, oldest_at: CREATED_AT },
  backlogs: { largest: [], others: 0 },
  problems: [
    {
      webhook_id: 1,
      url: 'https://hooks.example.com/in',
      name: 'Billing',
      level: 'degraded',
      is_active: true,
      inactive_reason: '',
      error: 'http_401',
      since: '2026-11-20T04:01:00.000Z',
      failed: 39,
      waiting: 4,
      is_whole: true,
      delivery_id: DELIVERY_ID,
      status_code: 401,
      response_body: 'signature mismatch',
      changed: { what: 'rotated', at: '2026-11-20T04:00:12.500Z' },
    },
  ],
  has_more_problems: false,
};

export const eventDescriptionExample = {
  name: 'user.created',
  label: 'Admin created a user',
  schema: { type: 'object', properties: { data: { type: 'object' } } },
  example: { id: 42 },
  subscribers: [
    {
      id: 1,
      url: 'https://hooks.example.com/in',
      name: 'Audit log',
      is_active: true,
      matched_patterns: ['user.*'],
    },
  ],
  total: 1,
  limit: 50,
  offset: 0,
};

export const problemExample = {
  type: 'about:blank',
  title: 'Unprocessable Content',
  status: 422,
  code: 'validation_failed',
  detail: 'The input has fields that are not valid',
  errors: [{ field: 'events', code: 'too_small', message: 'Too small: expected array to have >=1 items' }],
};
