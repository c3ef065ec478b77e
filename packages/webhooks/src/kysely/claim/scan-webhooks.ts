import { type AliasedRawBuilder, sql } from 'kysely';
import type { ClaimRequest } from '../../storage/delivery-requests.ts';
import {
  hasNothingInFlight,
  isSaturated,
  type SlotLimits,
  type WaitingWebhook,
} from '../../storage/slot-allocation.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect, WebhookRange } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { readyQueue, readyQueueOf } from './ready-queue.ts';

/**
 * The fewest webhooks that the first statement of a scan reads; each further one reads twice as
 * many.
 */
const MIN_WEBHOOKS_SCANNED = 64;
const MAX_WEBHOOKS_PER_STATEMENT = 4_096;

export const ALL_WEBHOOKS: WebhookRange = { after: 0, until: Number.MAX_SAFE_INTEGER };

/** Webhooks with due deliveries, in the order in which a claim serves them. */
export interface WaitingWebhooks {
  readonly webhooks: readonly WaitingWebhook[];
  /**
   * Whether a further scan would find no other webhook that is neither saturated nor served
   * already.
   */
  readonly isComplete: boolean;
}

export async function isAnythingDue(tables: Tables, dialect: WebhookDialect, now: number): Promise<boolean> {
  const first = await readyQueue(tables, dialect, now).select('id').limit(1).executeTakeFirst();
  return first !== undefined;
}

/**
 * Reads the ready queue, unlocked, and counts its deliveries by webhook, where it fits into
 * `limit`.
 *
 * @returns undefined where more than `limit` are due
 */
export async function readQueueIfItFits(
  tables: Tables,
  dialect: WebhookDialect,
  { now, limit }: Pick<ClaimRequest, 'now' | 'limit'>,
): Promise<WaitingWebhooks | undefined> {
  const rows = await readyQueue(tables, dialect, now)
    .select('webhook_id')
    .limit(limit + 1)
    .execute();
  if (rows.length > limit) return undefined;
  const counts = new Map<number, number>();
  for (const { webhook_id } of rows) {
    counts.set(Number(webhook_id), (counts.get(Number(webhook_id)) ?? 0) + 1);
  }
  return { webhooks: [...counts].map(([webhookId, due]) => ({ webhookId, due })), isComplete: true };
}

/**
 * Scans the webhooks with pending deliveries in ascending order of id, beginning after
 * `afterWebhookId` and continuing from the lowest id, until `limit` webhooks with nothing in flight
 * have something due. Saturated webhooks are left out. Suspects, whose order is the runner's, are
 * looked up by their ids.
 */
export async function scanWebhooks(
  tables: Tables,
  dialect: WebhookDialect,
  request: Pick<ClaimRequest, 'now' | 'limit'> & SlotLimits,
  afterWebhookId: number,
): Promise<WaitingWebhooks> {
  const { now, limit, suspects = new Set() } = request;
  const webhooks = await dueSuspects(tables, dialect, request);
  let wanted = limit;
  let count = Math.max(MIN_WEBHOOKS_SCANNED, 2 * limit);
  for (let range of [
    { ...ALL_WEBHOOKS, after: afterWebhookId },
    { ...ALL_WEBHOOKS, until: afterWebhookId },
  ]) {
    while (range.after < range.until) {
      const page = await readDue(tables, dialect, now, dialect.pendingWebhooks(range, count).as('waiting'));
      page.sort((a, b) => a.webhookId - b.webhookId);
      const canStart = ({ webhookId, due }: WaitingWebhook) =>
        due > 0 && !suspects.has(webhookId) && !isSaturated(webhookId, request);
      const startable = page.filter(canStart);
      webhooks.push(...startable);
      wanted -= startable.filter(({ webhookId }) => hasNothingInFlight(webhookId, request)).length;
      if (wanted <= 0) return { webhooks, isComplete: false };
      const isEnd = page.length < count;
      range = { ...range, after: isEnd ? range.until : (page.at(-1)?.webhookId ?? range.until) };
      count = Math.min(2 * count, MAX_WEBHOOKS_PER_STATEMENT);
    }
  }
  return { webhooks, isComplete: true };
}

async function dueSuspects(
  tables: Tables,
  dialect: WebhookDialect,
  request: Pick<ClaimRequest, 'now'> & SlotLimits,
): Promise<WaitingWebhook[]> {
  const unsaturated = [...(request.suspects ?? [])].filter((webhookId) => !isSaturated(webhookId, request));
  if (unsaturated.length === 0) return [];
  const rows = unsaturated.map((webhook_id) => ({ webhook_id }));
  const listed = dialect.rowsOf(rows, 'waiting', { webhook_id: 'integer' });
  return (await readDue(tables, dialect, request.now, listed)).filter(({ due }) => due > 0);
}

/**
 * Whether anything is due, for each of these webhooks, at a cost that does not grow with its
 * deliveries.
 */
async function readDue(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  webhooks: AliasedRawBuilder<{ webhook_id: number }, 'waiting'>,
): Promise<WaitingWebhook[]> {
  const first = readyQueueOf(tables, dialect, now, sql<number>`waiting.webhook_id`)
    .select('webhook_deliveries.id')
    .limit(1);
  const rows = await tables
    .selectFrom(webhooks)
    .select('waiting.webhook_id')
    // Not an `exists`: MySQL and PostgreSQL would join it, and read all of the webhooks' rows.
    .select(
      sql<
        number | null
      >`case when waiting.webhook_id not in (${removedWebhooks(tables)}) then (${first}) end`.as('id'),
    )
    .execute();
  return rows.map(({ webhook_id, id }) => ({
    webhookId: Number(webhook_id),
    due: id === null ? 0 : Number.POSITIVE_INFINITY,
  }));
}
