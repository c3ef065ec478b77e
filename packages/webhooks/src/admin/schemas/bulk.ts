import { z } from 'zod';
import { isDeliveryId } from '../../registry/existing-delivery.ts';
import { documented } from '../open-api/documentation.ts';
import { isDryRun } from './bodies.ts';

/** The schemas of requests on a selection, in the wire's spelling. */

export const bulkBody = documented(
  z.strictObject({
    action: documented(z.enum(['pause', 'activate', 'delete']), {
      description: 'What to do with each webhook.',
    }),
    webhooks: documented(
      z
        .array(z.int().min(1))
        .min(1)
        .max(100)
        .transform((ids) => [...new Set(ids)]),
      {
        description: 'Their ids. Duplicates are removed.',
        items: { type: 'integer', minimum: 1 },
        examples: [[1, 2]],
      },
    ),
    dry_run: isDryRun,
  }),
  { id: 'ChangeWebhooks', description: 'A change of several webhooks.' },
);

export const redeliverBody = documented(
  z.strictObject({
    deliveries: documented(
      z
        .array(z.string().refine(isDeliveryId, { message: 'must be 32 digits from 0 to 9 and a to f' }))
        .min(1)
        .max(100)
        .transform((ids) => [...new Set(ids)]),
      {
        description: 'Their `delivery_id`s, of any webhooks. Duplicates are removed.',
        items: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        examples: [['5f0c3a4b6d7e8f90123456789abcdef0']],
      },
    ),
    dry_run: isDryRun,
  }),
  { id: 'RedeliverMany', description: 'Deliveries to send again.' },
);
