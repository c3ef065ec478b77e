import { z } from 'zod';
import { documented } from '../open-api/documentation.ts';

/** The fields that the answers of the admin API share, in wire spelling. */

export const timestamp = documented(z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/), {
  description: 'RFC 3339, UTC, milliseconds.',
  format: 'date-time',
  examples: ['2026-11-20T04:10:00.123Z'],
});
export const count = z.int().min(0);
export const id = z.int().min(1);
export const webhookUrl = documented(z.string(), { isWebhookUrl: true });
export const webhookName = documented(z.string(), {
  description: 'What people call it; empty where it has no name.',
});
export const deliveryId = documented(z.string().regex(/^[0-9a-f]{32}$/), {
  description: 'The `X-Webhook-ID` of every attempt.',
  examples: ['5f0c3a4b6d7e8f90123456789abcdef0'],
});
export const status = documented(z.enum(['pending', 'success', 'failed']), {
  id: 'DeliveryStatus',
  description: '`pending` until the last attempt has ended.',
});
export const patterns = documented(z.array(z.string()), {
  description: 'Event patterns; none if a webhook was written by SQL without any.',
  examples: [['user.*', 'role.created']],
});

/** Whose webhook it is. */
export const tenant = documented(z.string().optional(), {
  audience: 'administrators',
  description: 'The customer whose webhook it is; absent where it is the application’s own.',
});
