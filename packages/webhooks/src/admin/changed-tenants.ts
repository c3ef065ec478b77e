import { tenantField } from '../events/tenant.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import type { AdministeredWebhooks } from './routes/route.ts';

/** Webhooks whose tenants are noted as a request reads and changes them. */
interface NotedWebhooks {
  readonly webhooks: AdministeredWebhooks;
  /** Never rejects: the change is made by now. Empty if the webhook cannot be read any more. */
  whoseIs(webhookId: number): Promise<{ readonly tenant?: string }>;
}

/** Learns the tenants of webhooks for audit events. One that is removed is read before it goes. */
export function noteTenants(webhooks: AdministeredWebhooks): NotedWebhooks {
  const tenants = new Map<number, string>();
  async function noted<Read extends Webhook>(reading: Promise<Read>): Promise<Read> {
    const webhook = await reading;
    tenants.set(webhook.id, webhook.tenant);
    return webhook;
  }
  return {
    webhooks: {
      ...webhooks,
      create: (input) => noted(webhooks.create(input)),
      get: (id) => noted(webhooks.get(id)),
      update: (id, ...change) => noted(webhooks.update(id, ...change)),
      rotateSecret: (id, precondition) => noted(webhooks.rotateSecret(id, precondition)),
      endPreviousSecret: (id, precondition) => noted(webhooks.endPreviousSecret(id, precondition)),
      async delete(id, precondition) {
        if (!tenants.has(id)) await noted(webhooks.get(id));
        await webhooks.delete(id, precondition);
      },
    },
    async whoseIs(id) {
      if (!tenants.has(id)) await noted(webhooks.get(id)).catch(() => undefined);
      return tenantField(tenants.get(id) ?? '');
    },
  };
}
