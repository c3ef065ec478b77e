import { z } from 'zod';
import { isEventName } from '../events/event-name.ts';
import { isTenant, TENANT_BOUNDS } from '../events/tenant.ts';
import { HEALTH_LEVELS } from '../storage/failure-run.ts';
import { isUid, UID_BOUNDS } from './administrator-uid.ts';
import { isDeliveryId } from './existing-delivery.ts';
import { timeField } from './time-field.ts';
import { settingSchemas, storableText } from './webhook-fields.ts';

/** Whose webhooks; null for the host's own. */
const tenantField = z.string().refine(isTenant, { message: `must be text of ${TENANT_BOUNDS}` });

/** The schema of `CreateWebhookInput`. */
export const createInput = z.strictObject({
  tenant: tenantField.nullable().optional(),
  ...settingSchemas((check, { initial }) => (initial === undefined ? check : check.default(initial))),
  createdByUid: z
    .string()
    .refine(isUid, { message: `must be text of ${UID_BOUNDS}` })
    .nullable()
    .default(null),
});

/** The schema of `UpdateWebhookInput`. */
export const updateInput = z.strictObject(settingSchemas()).partial();

/** The schema of `WebhookPrecondition`. */
export const precondition = z.strictObject({ expectedUpdatedAt: z.string().max(64).optional() });

/** The schema of `ListWebhooksInput`. */
export const listInput = z.strictObject({
  tenant: tenantField.nullable().optional(),
  search: storableText(200).optional(),
  active: z.boolean().optional(),
  health: z.enum(HEALTH_LEVELS).optional(),
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).max(1_000_000).default(0),
  sort: z.enum(['id', 'url', 'created_at', 'updated_at', 'level']).default('id'),
  order: z.enum(['asc', 'desc']).default('desc'),
});

/** The schema of `ListTenantsInput`. */
export const tenantsInput = z.strictObject({
  after: tenantField.optional(),
  limit: listInput.shape.limit,
});

/** A range that ends before it begins would find nothing, and hide a mistake. */
const isInOrder = ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) =>
  from === undefined || to === undefined || from <= to;
const OUT_OF_ORDER = { path: ['to'], message: 'must not be before from' };

const historyFields = z.strictObject({
  status: z.enum(['pending', 'success', 'failed']).optional(),
  event: storableText(128).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(64).optional(),
});

/** The schema of `ListDeliveriesInput`. */
export const historyInput = historyFields.refine(isInOrder, OUT_OF_ORDER);

/** The schema of `SearchDeliveriesInput`. */
export const searchInput = historyFields
  .extend({
    tenant: tenantField.nullable().optional(),
    webhookId: z.int().min(1).optional(),
    deliveryId: z
      .string()
      .refine(isDeliveryId, { message: 'must be 32 digits from 0 to 9 and a to f' })
      .optional(),
    error: storableText(255).optional(),
    statusCode: z.int().min(0).max(999).optional(),
    cursor: z.string().max(128).optional(),
  })
  .refine(isInOrder, OUT_OF_ORDER);

/** The schema of `ChangesInput`. */
export const changesInput = z.strictObject({
  webhookIds: z.array(z.int().min(1)).max(100).optional(),
});

/** The schema of `ActivityInput`. */
export const activityInput = z.strictObject({
  interval: z.enum(['hour', 'day']).default('day'),
  from: timeField.optional(),
  to: timeField.optional(),
});

/** The schema of `ActivityOfAllInput`. */
export const activityOfAllInput = activityInput.extend({ tenant: tenantField.nullable().optional() });

/** The schema of `ExplainInput`. */
export const explainInput = z
  .strictObject({
    webhookId: z.number().optional(),
    search: listInput.shape.search,
    limit: listInput.shape.limit,
    offset: listInput.shape.offset,
  })
  .refine(({ search, webhookId }) => !search || webhookId === undefined, {
    path: ['search'],
    message: 'must not be given with webhookId',
  });

/** The schema of `DescribeEventInput`. */
export const describeEventInput = listInput.pick({ limit: true, offset: true });

/** The schema of `RecoverInput`. */
export const recoverInput = z.strictObject({
  since: timeField,
  until: timeField.optional(),
  events: z
    .array(z.string().refine(isEventName, { message: 'must be an event name such as user.created' }))
    .min(1)
    .max(100)
    .optional(),
  webhookId: z.int().optional(),
  cursor: z.string().max(128).optional(),
  maxDurationMs: z.int().min(1).max(86_400_000).optional(),
  dryRun: z.boolean().default(false),
});
