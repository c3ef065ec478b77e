import { isFailing } from '../is-failing.ts';
import { nextUpdatedAt } from '../next-updated-at.ts';
import type { Webhook } from '../records.ts';
import type { WebhookStorage } from '../storage.ts';
import { pageOf } from '../webhook-page.ts';
import { deliveriesOf, type MemoryTables, type WebhookRow } from './memory-tables.ts';

/** The methods that register, change and remove webhooks. */
export function webhookMethods(tables: MemoryTables) {
  const { webhooks, deliveries } = tables;
  let lastId = 0;

  return {
    async createWebhook({ secret, ...fields }) {
      lastId += 1;
      const inactiveSince = fields.isActive ? null : fields.createdAt;
      const initial = { inactiveReason: '', inactiveSince, previousSecretExpiresAt: null } as const;
      const webhook = structuredClone({ id: lastId, ...fields, ...initial, updatedAt: fields.createdAt });
      const state = {
        previousSecret: null,
        activation: 0,
        lastSuccessAt: '',
        lastFailureAt: '',
        revision: 0,
      };
      webhooks.set(lastId, { webhook, secret, ...state });
      tables.revision += 1;
      return structuredClone(webhook);
    },
    findWebhook: async (id) => structuredClone(webhooks.get(id)?.webhook),
    async listWebhooks(query) {
      const records = Array.from(webhooks.values(), (row) => ({
        webhook: row.webhook,
        isFailing: isFailing(row),
      }));
      return structuredClone(pageOf(records, query));
    },
    async updateWebhook(id, { expectedUpdatedAt, ...change }) {
      const row = asExpected(webhooks.get(id), expectedUpdatedAt);
      if (row === undefined) return undefined;
      const { url, isActive } = row.webhook;
      const isActivated = change.isActive === true;
      if ((change.url ?? url) !== url || (isActivated && !isActive)) row.activation += 1;
      if (isActivated) return replace(tables, row, { ...change, inactiveReason: '', inactiveSince: null });
      const isDeactivated = isActive && change.isActive === false;
      return replace(tables, row, isDeactivated ? { ...change, inactiveSince: change.updatedAt } : change);
    },
    async deleteWebhook(id, expectedUpdatedAt) {
      if (asExpected(webhooks.get(id), expectedUpdatedAt) === undefined) return false;
      for (const { delivery } of deliveriesOf(tables, id)) deliveries.delete(delivery.id);
      tables.revision += 1;
      return webhooks.delete(id);
    },
    async deactivateWebhook(id, { activation, reason, updatedAt }) {
      const row = webhooks.get(id);
      if (!row?.webhook.isActive || row.activation !== activation) return false;
      replace(tables, row, { isActive: false, inactiveReason: reason, inactiveSince: updatedAt, updatedAt });
      return true;
    },
    async rotateSecret(id, { expectedUpdatedAt, secret, ...change }) {
      const row = asExpected(webhooks.get(id), expectedUpdatedAt);
      if (row === undefined) return undefined;
      row.previousSecret = { secret: row.secret, expiresAt: change.previousSecretExpiresAt };
      row.secret = secret;
      return replace(tables, row, change);
    },
    async endPreviousSecret(id, { expectedUpdatedAt, updatedAt }) {
      const row = asExpected(webhooks.get(id), expectedUpdatedAt);
      if (row === undefined) return undefined;
      row.previousSecret = null;
      return replace(tables, row, { previousSecretExpiresAt: null, updatedAt });
    },
    async readRevision(webhookIds) {
      if (webhookIds === undefined) return `${tables.revision}-${Math.max(0, ...deliveries.keys())}`;
      return [tables.revision, ...webhookIds.map((id) => webhooks.get(id)?.revision ?? 0)].join('-');
    },
  } satisfies Partial<WebhookStorage>;
}

/** Undefined where the webhook has another `updatedAt` than the one expected. */
function asExpected(row: WebhookRow | undefined, expectedUpdatedAt?: string): WebhookRow | undefined {
  return (expectedUpdatedAt ?? row?.webhook.updatedAt) === row?.webhook.updatedAt ? row : undefined;
}

function replace(
  tables: MemoryTables,
  row: WebhookRow,
  change: Partial<Webhook> & Pick<Webhook, 'updatedAt'>,
): Webhook {
  tables.revision += 1;
  const updatedAt = nextUpdatedAt(row.webhook.updatedAt, change.updatedAt);
  // A deactivation happens at the time that is kept.
  const inactiveSince = change.inactiveSince && updatedAt;
  row.webhook = structuredClone({
    ...row.webhook,
    ...change,
    ...(inactiveSince !== undefined && { inactiveSince }),
    updatedAt,
  });
  return structuredClone(row.webhook);
}
