import { sql } from 'kysely';
import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import type { PurgeReceipt, PurgeRequest } from '../../storage/purge-requests.ts';
import { TEST_DELIVERY_PATTERN } from '../../test-deliveries.ts';
import { countChanges } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { changeRuns } from '../failures/change-runs.ts';
import { hasBegun } from '../failures/run-rows.ts';
import { OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { endPending, isUnleased } from './end-pending.ts';

type BusyRequest = Extract<PurgeRequest, { busyForMs: number }>;

/** Of so many webhooks deliveries are looked for at once. */
const WEBHOOKS_AT_ONCE = 500;

/** Webhooks whose recipient is busy for too long, and asked lately, with the present time. */
function busyWebhooks(tables: Tables, dialect: WebhookDialect, request: BusyRequest) {
  const { busyForMs, askedWithinMs, now } = request;
  const askedAt = sql<string>`case when run.busy_again_at = '' then run.busy_since else run.busy_again_at end`;
  return tables
    .selectFrom('webhook_failures as run')
    .innerJoin('webhooks', 'webhooks.id', 'run.webhook_id')
    .select(['webhooks.id', 'webhooks.activations', dialect.timestamp(now).as('present')])
    .where('run.busy_since', '<>', '')
    .where('run.busy_since', '<=', dialect.timestamp(now, -busyForMs))
    .where(askedAt, '>', dialect.timestamp(now, -askedWithinMs))
    .where(hasBegun('busy_since', sql.ref('webhooks.activations')))
    .where('webhooks.is_active', '=', 1)
    .where('webhooks.is_removed', '=', 0)
    .orderBy('webhooks.id')
    .execute();
}

const NOTHING: PurgeReceipt = { removed: 0, expired: [] };

/** Ends what waits for recipients that are busy for too long, as failures of their webhooks. */
export async function endBusyDeliveries(
  { run, write, dialect }: DatabaseAccess,
  request: BusyRequest,
): Promise<PurgeReceipt> {
  // Nearly always nobody is: no writer is kept waiting for that.
  const busy = await run((tables) => busyWebhooks(tables, dialect, request));
  return busy.length === 0 ? NOTHING : await write((tables) => endBusy(tables, dialect, request));
}

async function endBusy(tables: Tables, dialect: WebhookDialect, request: BusyRequest): Promise<PurgeReceipt> {
  const busy = await busyWebhooks(tables, dialect, request);
  // Taken before the rows are locked: a success meanwhile comes after these ends.
  const completedAt = busy[0]?.present ?? '';
  const activations = new Map(busy.map(({ id, activations }) => [Number(id), Number(activations)]));
  const webhookIds = [...activations.keys()];
  let rows: Awaited<ReturnType<typeof waitingForBusy>> = [];
  for (let from = 0; from < webhookIds.length && rows.length === 0; from += WEBHOOKS_AT_ONCE) {
    rows = await waitingForBusy(tables, dialect, webhookIds.slice(from, from + WEBHOOKS_AT_ONCE), request);
  }
  if (rows.length === 0) return NOTHING;
  const ids = rows.map(({ id }) => id);
  const expired = await endPending(tables, ids, { error: 'busy', completed_at: completedAt });
  const ended = rows.map(({ webhook_id, created_at }) => ({
    ...({ webhookId: Number(webhook_id), createdAt: created_at, to: 'failed', completedAt } as const),
  }));
  await countChanges(tables, dialect, ended);
  const first = rows.filter(({ series_since }) => series_since === null);
  await changeRuns(tables, dialect, {
    now: request.now,
    webhookIds: first.map(({ webhook_id }) => Number(webhook_id)),
    step({ webhookId, run, lastSuccessAt }) {
      const activation = activations.get(webhookId) ?? NO_ACTIVATION;
      const end = { activation, at: completedAt, happened: { failedWith: 'busy' } };
      const ofWebhook = first.filter(({ webhook_id }) => Number(webhook_id) === webhookId);
      return request.runAfter(
        run,
        ofWebhook.map(() => end),
        lastSuccessAt,
      );
    },
  });
  return { removed: 0, expired };
}

/**
 * What has waited for these recipients alone: no attempt of its series has counted, or the last one
 * was put off. Tests say nothing of the events, and go on waiting.
 */
function waitingForBusy(
  tables: Tables,
  dialect: WebhookDialect,
  webhookIds: readonly number[],
  { busyForMs, now, limit }: BusyRequest,
) {
  return tables
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_ready_by_webhook'))
    .select(['id', 'webhook_id', 'created_at', 'series_since'])
    .where('webhook_id', 'in', webhookIds)
    .where(OF_A_WEBHOOK)
    .where('status', '=', PENDING)
    .where('delivery_id', 'not like', TEST_DELIVERY_PATTERN)
    .where(sql<boolean>`(error = 'deferred' or attempts - deferrals <= series_start)`)
    .where(sql<boolean>`coalesce(series_since, created_at) <= ${dialect.timestamp(now, -busyForMs)}`)
    .where(isUnleased(dialect, now))
    .orderBy('webhook_id')
    .orderBy('priority_at')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(dialect.locks.forUpdateSkipLocked)
    .execute();
}
