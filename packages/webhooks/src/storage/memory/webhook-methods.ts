import { changedState } from '../changed-state.ts';
import type { WebhookStorage } from '../storage.ts';
import { pageOf } from '../webhook-page.ts';
import { deliveriesOf, type MemoryTables } from './memory-tables.ts';
import { levelIn, readOverview } from './read-overview.ts';

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
        failureRun: undefined,
        pause: undefined,
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
        level: levelIn(tables, row, query.healthSince),
      }));
      return structuredClone(pageOf(records, query));
    },
    async changeWebhook(id, change) {
      const row = webhooks.get(id);
      const changed = row && changedState(row, change);
      if (row === undefined || changed === undefined) return undefined;
      Object.assign(row, structuredClone(changed));
      tables.revision += 1;
      return structuredClone(changed.webhook);
    },
    async deleteWebhook(id, expectedUpdatedAt) {
      const updatedAt = webhooks.get(id)?.webhook.updatedAt;
      if (updatedAt === undefined || (expectedUpdatedAt ?? updatedAt) !== updatedAt) return false;
      for (const { delivery } of deliveriesOf(tables, id)) deliveries.delete(delivery.id);
      tables.revision += 1;
      return webhooks.delete(id);
    },
    readOverview: async (query) => structuredClone(readOverview(tables, query)),
    async readRevision(webhookIds) {
      if (webhookIds === undefined) return `${tables.revision}-${Math.max(0, ...deliveries.keys())}`;
      return [tables.revision, ...webhookIds.map((id) => webhooks.get(id)?.revision ?? 0)].join('-');
    },
  } satisfies Partial<WebhookStorage>;
}
