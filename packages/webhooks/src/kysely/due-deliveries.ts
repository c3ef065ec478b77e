import { sql } from 'kysely';
import type { DueQuery, DueSummary } from '../storage/delivery-requests.ts';
import { RETRY_TURN_DELAY_MS } from '../storage/turn.ts';
import type { WebhookDialect } from './dialect.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

/** A delivery that may be claimed. */
export interface Candidate {
  readonly id: number;
  readonly webhookId: number;
}

/** The oldest is exact where no more are due. */
const MIN_SUMMARY_ROWS = 1_000;
/** How many webhooks are scanned where those at a limit fill all of it, beside the limited ones. */
const MAX_WEBHOOKS_SUMMED_UP = 3_000;

/** Deliveries that are due and that nobody holds, in the order of their turns. */
export function dueRows(tables: Tables, dialect: WebhookDialect, now: number) {
  return freeRows(tables, dialect, now, 'webhook_deliveries_turn')
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .orderBy('turn_at')
    .orderBy('id');
}

/** Pending deliveries that are due and that nobody holds. */
function freeRows(tables: Tables, dialect: WebhookDialect, now: number, index: string) {
  return (
    tables
      .selectFrom(dialect.deliveriesBy(index))
      .where('status', '=', PENDING)
      // Whatever is due stands there: the bound of the index is exact but for first attempts that are not due yet.
      .where('turn_at', '<=', dialect.timestamp(now, RETRY_TURN_DELAY_MS))
      .where(isFree(dialect, now))
  );
}

/** Says of a delivery that it is pending and due, and that nobody holds it; not in words that an index fits. */
export function isFree(dialect: WebhookDialect, now: number) {
  const present = dialect.timestamp(now);
  return sql<boolean>`(next_attempt_at <= ${present} and (locked_until is null or locked_until <= ${present}))`;
}

/** The first of the ready queue, at most so many, unlocked. */
export async function readReadyQueue(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  limit: number,
): Promise<Candidate[]> {
  const rows = await dueRows(tables, dialect, now).select(['id', 'webhook_id']).limit(limit).execute();
  return rows.map(candidateOf);
}

export async function isAnyDue({ read, dialect }: TableAccess, now: number): Promise<boolean> {
  const first = await read((tables) => readReadyQueue(tables, dialect, now, 1));
  return first.length > 0;
}

/** What a step of the scan over the webhooks found. */
export interface Scanned {
  /** The first due delivery of each webhook that has one, in ascending order of the webhooks' ids. */
  readonly firsts: Candidate[];
  /** The last webhook scanned: the one it began after where there was none. */
  readonly lastWebhookId: number;
  /** Whether no webhook has a higher id. */
  readonly isEnd: boolean;
}

/** Scans so many webhooks that have pending deliveries, after the given one, at a cost per webhook and not per row. */
export async function scanWebhooks(
  tables: Tables,
  dialect: WebhookDialect,
  request: { readonly now: number; readonly afterWebhookId: number; readonly webhooks: number },
): Promise<Scanned> {
  const { now, afterWebhookId, webhooks } = request;
  const first = queueOf(tables, dialect, now, sql<number>`waiting.webhook_id`)
    .select('webhook_deliveries.id')
    .limit(1);
  const rows = await tables
    .selectFrom(dialect.waitingWebhooks(afterWebhookId, webhooks).as('waiting'))
    .select('waiting.webhook_id')
    // Not a condition of `first`: MySQL would join that, and sort all of the webhook's rows for it.
    .select(
      sql<
        number | null
      >`case when waiting.webhook_id not in (${removedWebhooks(tables)}) then (${first}) end`.as('id'),
    )
    .execute();
  const firsts = rows.flatMap(({ id, webhook_id }) => (id === null ? [] : [candidateOf({ id, webhook_id })]));
  return {
    firsts: firsts.sort((a, b) => a.webhookId - b.webhookId),
    lastWebhookId: rows.reduce((last, row) => Math.max(last, Number(row.webhook_id)), afterWebhookId),
    isEnd: rows.length < webhooks,
  };
}

/** The first due delivery of each of these webhooks that has one, in the order given. */
export async function firstsOf(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  webhookIds: readonly number[],
): Promise<Candidate[]> {
  if (webhookIds.length === 0) return [];
  const first = queueOf(tables, dialect, now, sql<number>`webhooks.id`)
    .select('webhook_deliveries.id')
    .limit(1);
  const rows = await tables
    .selectFrom('webhooks')
    .select('webhooks.id as webhook_id')
    .select(sql<number | null>`(${first})`.as('id'))
    .where('webhooks.id', 'in', webhookIds)
    .where('webhooks.is_removed', '=', 0)
    .execute();
  const firsts = new Map(rows.map(({ webhook_id, id }) => [Number(webhook_id), id]));
  return webhookIds.flatMap((webhookId) => {
    const id = firsts.get(webhookId) ?? null;
    return id === null ? [] : [candidateOf({ id, webhook_id: webhookId })];
  });
}

/** The first `places` due deliveries of each of these webhooks, by their priority time, in the order of the webhooks. */
export async function firstOfEach(
  tables: Tables,
  dialect: WebhookDialect,
  request: { readonly now: number; readonly webhookIds: readonly number[]; readonly places: number },
): Promise<Candidate[]> {
  const { now, webhookIds, places } = request;
  const [first, ...others] = webhookIds.map((webhookId) => {
    const queue = queueOf(tables, dialect, now, sql<number>`${webhookId}`)
      .select(['webhook_deliveries.id', 'webhook_deliveries.webhook_id'])
      .limit(places);
    // Not a join of each webhook's first: MariaDB has no `lateral`. In a table of its own: SQLite unites no ordered selects.
    return tables.selectFrom(queue.as('queue')).selectAll();
  });
  if (first === undefined) return [];
  const rows = await others.reduce((all, queue) => all.unionAll(queue), first).execute();
  return rows.map(candidateOf);
}

/** One webhook's deliveries that are due and that nobody holds, by their priority time. */
function queueOf(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  webhookId: ReturnType<typeof sql<number>>,
) {
  return (
    freeRows(tables, dialect, now, 'webhook_deliveries_waiting')
      .where('webhook_deliveries.webhook_id', '=', webhookId)
      // Always the same here. Without it MySQL sorts all of the webhook's rows where another table names it.
      .orderBy('webhook_id')
      .orderBy('turn_at')
      .orderBy('id')
  );
}

export async function dueSummary(
  { read, dialect }: TableAccess,
  { now, limit, limited = new Set() }: DueQuery,
): Promise<DueSummary> {
  const rowsRead = Math.max(limit, MIN_SUMMARY_ROWS);
  const isLimited =
    limited.size === 0 ? sql<boolean>`1 = 0` : sql<boolean>`webhook_id in (${sql.join([...limited])})`;
  return read(async (tables) => {
    const { oldest, oldest_other, due } = await tables
      .selectFrom(
        dueRows(tables, dialect, now).select(['next_attempt_at', 'webhook_id']).limit(rowsRead).as('queue'),
      )
      .select((queue) => [
        queue.fn.min('queue.next_attempt_at').as('oldest'),
        sql<string | null>`min(case when ${isLimited} then null else next_attempt_at end)`.as('oldest_other'),
        queue.fn.countAll<number>().as('due'),
      ])
      .executeTakeFirstOrThrow();
    const isCutOff = limited.size > 0 && oldest_other === null && Number(due) === rowsRead;
    return {
      oldestDueAt: oldest,
      oldestOtherDueAt: isCutOff ? await oldestFirstOf(tables, dialect, now, limited) : oldest_other,
      due: Math.min(Number(due), limit),
    };
  });
}

/** Where the limited ones fill all that was read: of the first deliveries of the other webhooks, the longest due. */
async function oldestFirstOf(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  limited: ReadonlySet<number>,
): Promise<string | null> {
  const { firsts } = await scanWebhooks(tables, dialect, {
    ...{ now, afterWebhookId: 0, webhooks: MAX_WEBHOOKS_SUMMED_UP },
  });
  const ids = firsts.filter(({ webhookId }) => !limited.has(webhookId)).map(({ id }) => id);
  if (ids.length === 0) return null;
  const { oldest } = await tables
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('next_attempt_at').as('oldest'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return oldest;
}

function candidateOf(row: { id: number; webhook_id: number }): Candidate {
  return { id: Number(row.id), webhookId: Number(row.webhook_id) };
}
