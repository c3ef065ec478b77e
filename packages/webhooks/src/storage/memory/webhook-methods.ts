import { timestampText } from '../../clock.ts';
import type { FailureStep } from '../failure-steps.ts';
import { TENANT_CLOSED_MS, tenantRemoved } from '../removed-tenant.ts';
import type { WebhookStorage } from '../storage.ts';
import { tooManyWebhooks } from '../too-many-webhooks.ts';
import { pageOf } from '../webhook-page.ts';
import { newSettings } from '../webhook-record.ts';
import { closingKeyOf, deliveriesByWebhook, deliveriesOf, type MemoryTables } from './memory-tables.ts';
import { pagedWebhook, readOverview } from './read-overview.ts';

const UNTRIED = {
  previousSecret: null,
  activation: 0,
  lastSuccessAt: '',
  lastFailureAt: '',
  failureRun: undefined,
  pause: undefined,
  revision: 0,
} as const;

/** Refuses a creation if the tenant has as many webhooks as it may, or is closed. */
function assertRoom(tables: MemoryTables, tenant: string, createdAt: string, max: number): void {
  const closed = tables.idempotencyKeys.get(closingKeyOf(tenant));
  const openMs = Date.parse(closed?.createdAt ?? '') + TENANT_CLOSED_MS;
  if (Date.parse(createdAt) < openMs) throw tenantRemoved();
  const others = [...tables.webhooks.values()].filter(({ webhook }) => webhook.tenant === tenant);
  if (others.length >= max) throw tooManyWebhooks(max);
}

/** The methods that register, change and remove webhooks. */
export function webhookMethods(tables: MemoryTables) {
  const { webhooks, deliveries } = tables;
  let lastId = 0;

  return {
    async createWebhook({ secret, tenant = '', maxOfTenant, ...fields }) {
      if (maxOfTenant !== undefined) assertRoom(tables, tenant, fields.createdAt, maxOfTenant);
      lastId += 1;
      const inactiveSince = fields.isActive ? null : fields.createdAt;
      const initial = { inactiveReason: '', inactiveSince, previousSecretExpiresAt: null } as const;
      const webhook = structuredClone({
        id: lastId,
        tenant,
        ...fields,
        ...newSettings(fields),
        ...initial,
        updatedAt: fields.createdAt,
      });
      webhooks.set(lastId, { webhook, secret, ...UNTRIED });
      tables.revision += 1;
      return structuredClone(webhook);
    },
    async findWebhook(id, tenant) {
      const webhook = webhooks.get(id)?.webhook;
      return tenant === undefined || webhook?.tenant === tenant ? structuredClone(webhook) : undefined;
    },
    async listWebhooks(query) {
      const rows = deliveriesByWebhook(tables);
      const records = Array.from(webhooks.values(), (row) =>
        pagedWebhook(row, rows.get(row.webhook.id) ?? [], query),
      );
      return structuredClone(pageOf(records, query));
    },
    async changeWebhook(id, change) {
      const row = webhooks.get(id);
      const changed = row && change(row);
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
    async stepFailures({ now, webhookIds, after = 0, limit, step }) {
      const rows = [...webhooks.values()].filter(({ webhook: { id } }) => id > after);
      const failing = rows.filter(({ webhook: { id } }) => webhookIds?.includes(id) ?? true);
      const kept = failing.filter(({ failureRun }) => failureRun !== undefined).slice(0, limit);
      return kept.flatMap((row): FailureStep[] => {
        const { failureRun: run, webhook, activation, lastSuccessAt } = row;
        if (run === undefined) return [];
        const state = { activation: webhook.isActive ? activation : null, now: timestampText(now) };
        const given = { webhookId: webhook.id, run, lastSuccessAt, ...state };
        const next = step(given);
        row.failureRun = next ?? undefined;
        return [{ ...given, after: next }];
      });
    },
    readOverview: async (query) => structuredClone(readOverview(tables, query)),
    async readRevision(webhookIds, scope = 'all') {
      if (webhookIds === undefined) return `${tables.revision}-${Math.max(0, ...deliveries.keys())}`;
      const ofAll = scope === 'all' ? [tables.revision] : [];
      return [...ofAll, ...webhookIds.map((id) => webhooks.get(id)?.revision ?? 0)].join('-');
    },
  } satisfies Partial<WebhookStorage>;
}
