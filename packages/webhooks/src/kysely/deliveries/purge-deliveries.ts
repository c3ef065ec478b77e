import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { timestampText } from '../../clock.ts';
import { BEFORE_ANY, type PurgeReceipt, type PurgeRequest } from '../../storage/purge-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import { hourOf } from '../counters/count-changes.ts';
import { foldHours, subtractHours } from '../counters/past-hours.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { PENDING } from '../status-literals.ts';
import type { Tables, WebhookTables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { type RemovalPlace, removeRemains, removeStray } from '../webhooks/remove-webhook.ts';
import { OF_NO_REMOVED_WEBHOOK, removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from './delivery-rows.ts';
import { endBusyDeliveries } from './end-busy-deliveries.ts';
import { createExpiry } from './expire-deliveries.ts';
import { createLease, type Lease } from './purge-lease.ts';

/**
 * Removes the remains of removed webhooks, then old deliveries, then those without a webhook: each in
 * a transaction of its own, which holds no counter that a result writes. A removed webhook that
 * another transaction has locked, a host's or its removal itself, is left to the next purge, and does
 * not hold up this one.
 *
 * A call goes on where the one before it stopped: entries before that place may be those of
 * deliveries that somebody's snapshot keeps in the index.
 */
export function createPurging(access: DatabaseAccess): Pick<WebhookStorage, 'purgeDeliveries'> {
  const lease = createLease(access, 'purge');
  const expire = createExpiry(access);
  let remainsStoppedAt: RemovalPlace | undefined;
  let stoppedAt = BEGINNING;
  async function removeRemains(request: AgeRequest): Promise<number> {
    const { removed, last } = await purgeRemains(access, request, remainsStoppedAt);
    remainsStoppedAt = last;
    return removed;
  }

  async function purge(request: AgeRequest): Promise<PurgeReceipt> {
    const remains = await removeRemains(request);
    const limit = request.limit - remains;
    if (limit === 0) return { removed: remains, expired: [] };
    let old = NOTHING;
    // Of a range, others may have removed some meanwhile: fewer than the limit are not the end.
    for (let range = 0; range < MAX_RANGES && old.removed < limit; range += 1) {
      const rest = { ...request, limit: limit - old.removed };
      const next = await afterReport(old, () => purgeOld(access, rest, lease, stoppedAt));
      if (next === undefined) break;
      stoppedAt = next.place;
      old = { removed: old.removed + next.removed, expired: [...old.expired, ...next.expired] };
      if (stoppedAt === BEGINNING) break;
    }
    const left = limit - old.removed;
    const stray = left > 0 ? await purgeStray(access, { ...request, limit: left }, old) : 0;
    return { removed: remains + old.removed + stray, expired: old.expired };
  }

  let before: Promise<unknown> = Promise.resolve();
  return {
    async purgeDeliveries(request) {
      if ('busyForMs' in request) return endBusyDeliveries(access, request);
      if ('dueForHours' in request) return expire(request);
      // A removal asks for nothing else, and waits for no purge.
      if (request.createdBefore === BEFORE_ANY) {
        return { removed: await removeRemains(request), expired: [] };
      }
      // One at a time: two would find the same deliveries, and one of them nothing to remove.
      const purging = before.then(() => purge(request));
      before = purging.catch(() => undefined);
      return purging;
    },
  };
}

/** How many ranges one call looks at where others remove what it has found. */
const MAX_RANGES = 100;

type AgeRequest = Extract<PurgeRequest, { createdBefore: string }>;

/** The deliveries of removed webhooks. */
async function purgeRemains(
  { run, write, dialect }: DatabaseAccess,
  request: AgeRequest,
  from: RemovalPlace | undefined,
) {
  // Nearly always there are none: no writer is kept waiting for that.
  const some = await run((tables) => removedWebhooks(tables).limit(1).execute());
  if (some.length === 0) return { removed: 0 };
  return write((tables) => {
    const free = removedWebhooks(tables).modifyEnd(dialect.locks.forUpdateSkipLocked);
    return removeRemains(tables, dialect, free, request, from);
  });
}

interface OldRemoval extends PurgeReceipt {
  /** When the last one was created; '' where there are no more. */
  readonly last: string;
}

/** Where a purge stopped. */
interface PurgePlace {
  /** When the last delivery was created that it removed; '' at the beginning. */
  readonly last: string;
  /** How many it has removed since it took the counters of their hours away. */
  readonly counted: number;
}

const BEGINNING: PurgePlace = { last: '', counted: 0 };

/** After so many deliveries, the counters of their hours go: of a few more, a webhook has one each. */
const MAX_COUNTED = 10_000;

/**
 * Old deliveries, and the counters of the hours that have none any more. One process does it at a
 * time: four at once removed 748 a second together, and one 616.
 */
async function purgeOld(
  access: DatabaseAccess,
  request: AgeRequest,
  lease: Lease,
  from: PurgePlace,
): Promise<OldRemoval & { readonly place: PurgePlace }> {
  const begun = performance.now();
  // The caller's clock stands still in its request.
  const isHeld = () => lease.hold(request.now + performance.now() - begun);
  if (!(await isHeld())) return { removed: 0, expired: [], last: '', place: BEGINNING };
  const old = await removeOld(access, request, from.last);
  const counted = from.counted + old.removed;
  if (old.last !== '' && counted < MAX_COUNTED) return { ...old, place: { last: old.last, counted } };
  await afterReport(old, async () => {
    await subtractHours(access, hourOf(old.last || request.createdBefore), isHeld);
    if (old.last !== '') return;
    await foldHours(access, request.now, isHeld);
    await lease.release();
  });
  return { ...old, place: old.last === '' ? BEGINNING : { last: old.last, counted: 0 } };
}

/** Deliveries without a webhook. */
async function purgeStray(access: DatabaseAccess, request: AgeRequest, old: PurgeReceipt): Promise<number> {
  return (await afterReport(old, () => removeStray(access, request))) ?? 0;
}

/**
 * Does what may as well wait for the next purge. What has expired is removed by then, and is reported
 * whatever comes of this.
 */
async function afterReport<Done>(
  { expired }: PurgeReceipt,
  work: () => Promise<Done>,
): Promise<Done | undefined> {
  try {
    return await work();
  } catch (error) {
    if (expired.length === 0) throw error;
    return undefined;
  }
}

/**
 * The deliveries up to a place in the index by age, which is looked up alone: a condition beside it
 * made PostgreSQL sort the whole past for each batch.
 */
async function removeOld(
  { run, write, writeAtOnce, dialect }: DatabaseAccess,
  { createdBefore, limit, now }: AgeRequest,
  from: string,
): Promise<OldRemoval> {
  const end = await run((tables) =>
    tables
      .selectFrom(dialect.deliveriesBy('webhook_deliveries_by_age'))
      .select(['created_at', 'id'])
      .where('created_at', '>=', from)
      .where('created_at', '<', createdBefore)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .offset(limit - 1)
      .executeTakeFirst(),
  );
  const until = end ?? { created_at: createdBefore, id: 0 };
  const isOld: IsOld = ({ and, or, eb }) =>
    and([
      eb('created_at', '>=', from),
      eb('created_at', '<=', until.created_at),
      or([eb('created_at', '<', until.created_at), eb('id', '<=', until.id)]),
    ]);
  const { removed, expired } = dialect.writesInWith
    ? await writeAtOnce((tables) => removeAtOnce(tables, isOld))
    : await write(async (tables) => {
        const range = { tables, dialect, isOld };
        const first = await removeRange(range);
        // What was reopened between its two statements is pending still, and is told as the rest.
        const second = first.removed === limit ? NOTHING : await removeRange(range);
        return { removed: first.removed + second.removed, expired: [...first.expired, ...second.expired] };
      });
  const ended = { status: 'failed', error: 'expired', completedAt: timestampText(now) } as const;
  return {
    removed,
    expired: expired.map((summary) => ({ ...summary, ...ended, nextAttemptAt: null })),
    last: end?.created_at ?? '',
  };
}

const NOTHING: PurgeReceipt = { removed: 0, expired: [] };

type IsOld = (row: ExpressionBuilder<WebhookTables, 'webhook_deliveries'>) => Expression<SqlBool>;

/** Whether the removal of a pending delivery is reported: not where its webhook was removed. */
const IS_TOLD = sql<number>`case when ${OF_NO_REMOVED_WEBHOOK} then 1 else 0 end`.as('is_told');

/** In one statement, as PostgreSQL can. Waits for rows that other transactions have locked. */
async function removeAtOnce(tables: Tables, isOld: IsOld): Promise<PurgeReceipt> {
  const rows = await tables
    .with('gone', (db) =>
      db.deleteFrom('webhook_deliveries').where(isOld).returning(SUMMARY_COLUMNS).returning(IS_TOLD),
    )
    .with('told', (db) =>
      db.selectFrom('gone').selectAll().where('status', '=', PENDING).where('is_told', '=', 1),
    )
    .selectFrom((db) => db.selectFrom('gone').select(db.fn.countAll<number>().as('removed')).as('counted'))
    .leftJoin('told', (join) => join.onTrue())
    .selectAll()
    .orderBy('told.created_at')
    .orderBy('told.id')
    .execute();
  const isRow = (row: (typeof rows)[number]): row is typeof row & SummaryRow => row.id !== null;
  return { removed: Number(rows[0]?.removed), expired: rows.filter(isRow).map(summaryOf) };
}

/** Removes those that have ended, and those that were pending, which it returns. */
async function removeRange({
  tables,
  dialect,
  isOld,
}: {
  readonly tables: Tables;
  readonly dialect: WebhookDialect;
  readonly isOld: IsOld;
}): Promise<PurgeReceipt> {
  // Waits for rows that other transactions have locked, briefly each: a call that skipped them
  // would remove fewer while some are left.
  const pending = await tables
    // Through another index, young rows would be locked as well, and waited for.
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_by_age'))
    .select(SUMMARY_COLUMNS)
    .select(IS_TOLD)
    .where(isOld)
    .where('status', '=', PENDING)
    .orderBy('created_at')
    .orderBy('id')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  const { numDeletedRows } = await tables
    .deleteFrom('webhook_deliveries')
    .where(isOld)
    .where((row) =>
      row.or([row('status', '<>', 'pending'), row('id', 'in', [0, ...pending.map(({ id }) => id)])]),
    )
    .executeTakeFirst();
  const told = pending.filter(({ is_told }) => Number(is_told) === 1);
  return { removed: Number(numDeletedRows), expired: told.map(summaryOf) };
}
