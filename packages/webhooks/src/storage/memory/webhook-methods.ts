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
      const initial = { inactiveReason: '', previousSecretExpiresAt: null } as const;
      const webhook = structuredClone({ id: lastId, ...fields, ...initial, updatedAt: fields.createdAt });
      webhooks.set(lastId, { webhook, secret, previousSecret: null, activation: 0, lastSuccessAt: '' });
      return structuredClone(webhook);
    },
    findWebhook: async (id) => structuredClone(webhooks.get(id)?.webhook),
    async listWebhooks(query) {
      const records = Array.from(webhooks.values(), ({ webhook }) => webhook);
      return structuredClone(pageOf(records, query));
    },
    async updateWebhook(id, { expectedUpdatedAt, ...change }) {
      const row = asExpected(webhooks.get(id), expectedUpdatedAt);
      if (row === undefined) return undefined;
      const { url, isActive } = row.webhook;
      const isActivated = change.isActive === true;
      if ((change.url ?? url) !== url || (isActivated && !isActive)) row.activation += 1;
      return replace(row, isActivated ? { ...change, inactiveReason: '' } : change);
    },
    async deleteWebhook(id, expectedUpdatedAt) {
      if (asExpected(webhooks.get(id), expectedUpdatedAt) === undefined) return false;
      for (const { delivery } of deliveriesOf(tables, id)) deliveries.delete(delivery.id);
      return webhooks.delete(id);
    },
    async deactivateWebhook(id, { activation, reason, updatedAt }) {
      const row = webhooks.get(id);
      if (!row?.webhook.isActive || row.activation !== activation) return false;
      replace(row, { isActive: false, inactiveReason: reason, updatedAt });
      return true;
    },
    async rotateSecret(id, { expectedUpdatedAt, secret, ...change }) {
      const row = asExpected(webhooks.get(id), expectedUpdatedAt);
      if (row === undefined) return undefined;
      row.previousSecret = { secret: row.secret, expiresAt: change.previousSecretExpiresAt };
      row.secret = secret;
      return replace(row, change);
    },
  } satisfies Partial<WebhookStorage>;
}

/** Undefined where the webhook has another `updatedAt` than the one expected. */
function asExpected(row: WebhookRow | undefined, expectedUpdatedAt?: string): WebhookRow | undefined {
  return (expectedUpdatedAt ?? row?.webhook.updatedAt) === row?.webhook.updatedAt ? row : undefined;
}

function replace(row: WebhookRow, change: Partial<Webhook> & Pick<Webhook, 'updatedAt'>): Webhook {
  const updatedAt = nextUpdatedAt(row.webhook.updatedAt, change.updatedAt);
  row.webhook = structuredClone({ ...row.webhook, ...change, updatedAt });
  return structuredClone(row.webhook);
}
