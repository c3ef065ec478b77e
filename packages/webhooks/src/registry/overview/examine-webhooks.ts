import { timestampText } from '../../clock.ts';
import { levelOf, shownRun } from '../../storage/failure-run.ts';
import type { FailureRun, WaitingDeliveries, WebhookHealth } from '../../storage/overview-record.ts';
import type { Webhook } from '../../storage/webhook-record.ts';
import type { OverviewStorage } from './overview-records.ts';

const DAY_MS = 86_400_000;
/** What failed before the last day is a problem for as long, if nothing has succeeded since. */
const RECENT_MS = 7 * DAY_MS;
/** What was due before is not on its way any more, but waits. */
const OVERDUE_MS = 300_000;
/** Among how many the worst are looked for. */
const PAGE_SIZE = 100;

/** A webhook with what tells how it fares. */
export interface ExaminedWebhook {
  readonly webhook: Webhook;
  readonly level: ReturnType<typeof levelOf>;
  /** Of the last day. */
  readonly health: WebhookHealth;
  readonly failureRun: FailureRun | null;
  readonly waiting: WaitingDeliveries;
  /**
   * Since when something has been due; null if nothing has been for long, or a limit held it back.
   */
  readonly overdueSince: string | null;
}

/**
 * The webhooks with which something may be wrong, the worst first, and whether there may be more:
 * of more than 100, those that are down come first, and those for which deliveries are only tried
 * again last.
 */
export async function unhealthyWebhooks(
  storage: OverviewStorage,
  now: number,
): Promise<{ readonly unhealthy: ExaminedWebhook[]; readonly hasMore: boolean }> {
  const healthSince = timestampText(now - DAY_MS);
  const since = timestampText(now - RECENT_MS);
  const list = (retries: boolean) =>
    storage.listWebhooks({
      unwell: { since, now, overdueMs: OVERDUE_MS, retries },
      ...{ healthSince, now, sort: 'level', order: 'desc', limit: PAGE_SIZE, offset: 0 },
    });
  const worse = await list(false);
  // After those: a hundred retries would push out a webhook that is gone.
  const all = worse.webhooks.length < PAGE_SIZE ? await list(true) : worse;
  const known = new Set(worse.webhooks.map(({ id }) => id));
  const webhooks = [...worse.webhooks, ...all.webhooks.filter(({ id }) => !known.has(id))].slice(
    0,
    PAGE_SIZE,
  );
  const examined = await examinedOf(storage, webhooks, healthSince, now);
  const unhealthy = examined
    .map((one) => ({ one, severity: severityOf(one) }))
    .sort((a, b) => b.severity - a.severity || extentOf(b.one) - extentOf(a.one))
    .map(({ one }) => one);
  return { unhealthy, hasMore: all === worse || all.total > webhooks.length };
}

/** 3: nothing reaches it. 2: some failed in the last day, or are late. 1: some wait. */
function severityOf({ webhook, health, level, overdueSince }: ExaminedWebhook): number {
  if (!webhook.isActive || level === 'down') return 3;
  return health.failed > 0 || overdueSince !== null ? 2 : 1;
}

function extentOf({ health, waiting }: ExaminedWebhook): number {
  return health.failed + waiting.count;
}

async function examinedOf(
  storage: OverviewStorage,
  webhooks: readonly Webhook[],
  healthSince: string,
  now: number,
): Promise<ExaminedWebhook[]> {
  if (webhooks.length === 0) return [];
  const webhookIds = webhooks.map(({ id }) => id);
  const parts = { waiting: true, failureRun: shownRun, healthSince, pausedAt: now };
  const records = await storage.readOverview({ webhookIds, ...parts });
  const byId = new Map(records.map((record) => [record.webhookId, record]));
  const overdue = timestampText(now - OVERDUE_MS);
  return webhooks.flatMap((webhook) => {
    const { health, failureRun = null, waiting, pausedUntil } = byId.get(webhook.id) ?? {};
    // It was removed meanwhile.
    if (health === undefined || waiting === undefined) return [];
    const level = levelOf(health, failureRun, now);
    const { dueAt } = waiting;
    // A webhook that is down has its own cause; what a 429 or a limit defers is not late.
    const isDeferred = !webhook.isActive || level === 'down' || pausedUntil || webhook.maxPerMinute;
    const isOverdue = !isDeferred && dueAt !== null && dueAt < overdue;
    return [{ webhook, level, health, failureRun, waiting, overdueSince: isOverdue ? dueAt : null }];
  });
}
