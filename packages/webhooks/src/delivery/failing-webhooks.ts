import { type Clock, timestampText } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { FailingWebhook } from '../hooks/webhook-hooks.ts';
import { disablesAtOf, downSinceOf, shownRun } from '../storage/failure-run.ts';
import type { FailureRun } from '../storage/overview-record.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Webhook } from '../storage/webhook-record.ts';

/** Lists what is down. */
export interface ListFailing {
  /**
   * Returns the active webhooks that are down, the first 1,000 by id: for a job of the host's that
   * writes to their owners. Hooks die with their process, and this does not.
   */
  listFailing(): Promise<readonly FailingWebhook[]>;
}

const PAGE = 100;
const MAX_LISTED = 1_000;

/** @internal */
export function createFailingWebhooks(deps: {
  readonly storage: Pick<WebhookStorage, 'listWebhooks' | 'readOverview'>;
  readonly clock: Clock;
  /** 0: never. */
  readonly disableAfterFailingMs: number;
}) {
  const { storage, clock, disableAfterFailingMs } = deps;

  function describe(webhook: Webhook, run: FailureRun, waiting: number): FailingWebhook {
    const { id: webhookId, tenant, url, name, description, createdByUid } = webhook;
    const { failed: failures, error: lastError } = run;
    const owner = { webhookId, ...tenantField(tenant), url, name, description, createdByUid };
    const since = downSinceOf(run, clock()) || run.since || run.busySince;
    const busySince = run.busySince || null;
    const disablesAt = disablesAtOf(run, disableAfterFailingMs, clock());
    return { ...owner, since, busySince, failures, lastError, waiting, disablesAt };
  }

  async function listFailing(): Promise<readonly FailingWebhook[]> {
    const failing: FailingWebhook[] = [];
    for (let offset = 0; offset < MAX_LISTED; offset += PAGE) {
      const now = clock();
      const query = { level: 'down', isActive: true, healthSince: timestampText(now), now } as const;
      const page = { limit: PAGE, offset, sort: 'id', order: 'asc' } as const;
      const { webhooks } = await storage.listWebhooks({ ...query, ...page });
      if (webhooks.length === 0) return failing;
      const webhookIds = webhooks.map(({ id }) => id);
      const overviews = await storage.readOverview({ webhookIds, counts: true, failureRun: shownRun });
      for (const { webhookId, counts, failureRun } of overviews) {
        const webhook = webhooks.find(({ id }) => id === webhookId);
        if (webhook && failureRun) failing.push(describe(webhook, failureRun, counts?.pending ?? 0));
      }
      if (webhooks.length < PAGE) return failing;
    }
    return failing;
  }

  return { describe, listFailing };
}
