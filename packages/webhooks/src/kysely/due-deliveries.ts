import { sql } from 'kysely';
import type { DueSummary } from '../storage/delivery-requests.ts';
import type { WebhookDialect } from './dialect.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';
import { RETRY_TURN_DELAY_MS } from './turn.ts';

/** A delivery that may be claimed, and its place in the line. */
export interface Candidate {
  readonly id: number;
  readonly webhookId: number;
  readonly turnAt: string;
}

/** Webhooks with pending deliveries that one look at them goes through: twice as many as deliveries are wanted. */
const MIN_WEBHOOKS_PER_LOOK = 64;
const MAX_WEBHOOKS_PER_LOOK = 256;
/** Deliveries of one webhook that one look at the webhooks finds: reading the nth reads those before it again. */
const MAX_PLACES = 16;
/** The oldest is exact where no more are due. */
const MIN_SUMMARY_ROWS = 1_000;

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

/** The first of the line, after another candidate where one is given. */
export async function firstInLine(
  tables: Tables,
  dialect: WebhookDialect,
  request: { readonly now: number; readonly limit: number; readonly after: Candidate | undefined },
): Promise<Candidate[]> {
  const { now, limit, after } = request;
  let line = dueRows(tables, dialect, now).select(['id', 'webhook_id', 'turn_at']);
  if (after !== undefined) {
    line = line
      .where('turn_at', '>=', after.turnAt)
      .where((behind) => behind.or([behind('turn_at', '>', after.turnAt), behind('id', '>', after.id)]));
  }
  return (await line.limit(limit).execute()).map(candidateOf);
}

export async function isAnyDue({ read, dialect }: TableAccess, now: number): Promise<boolean> {
  const first = await read((tables) => firstInLine(tables, dialect, { now, limit: 1, after: undefined }));
  return first.length > 0;
}

/** A webhook with a delivery that is due and that nobody holds. */
export interface DueWebhook {
  readonly id: number;
  /** The turn of the first of them. */
  readonly turnAt: string;
}

/**
 * Looks at the webhooks that have pending deliveries, at most 256 after the given one, and finds those of which one is
 * due, first turn first; steps from webhook to webhook over an index of pending rows, however many rows each has.
 *
 * @returns with them, the last webhook looked at: the given one where there was none
 */
export async function findDueWebhooks(
  tables: Tables,
  dialect: WebhookDialect,
  request: { readonly now: number; readonly afterWebhookId: number; readonly wanted: number },
): Promise<{ readonly dueWebhooks: DueWebhook[]; readonly lastWebhookId: number }> {
  const { now, afterWebhookId, wanted } = request;
  const limit = Math.min(Math.max(2 * wanted, MIN_WEBHOOKS_PER_LOOK), MAX_WEBHOOKS_PER_LOOK);
  const rows = await tables
    .selectFrom(dialect.waitingWebhooks(afterWebhookId, limit).as('waiting'))
    .select('waiting.webhook_id')
    .select(
      sql<string | null>`(${lineOf(tables, dialect, now, sql<number>`waiting.webhook_id`)
        .select('turn_at')
        .limit(1)})`.as('turn_at'),
    )
    .where('waiting.webhook_id', 'not in', removedWebhooks(tables))
    .execute();
  const dueWebhooks = rows.flatMap(({ webhook_id, turn_at }) =>
    turn_at === null ? [] : [{ id: Number(webhook_id), turnAt: turn_at }],
  );
  const lastWebhookId = rows.reduce((last, row) => Math.max(last, Number(row.webhook_id)), afterWebhookId);
  return { dueWebhooks: dueWebhooks.sort(byTurn), lastWebhookId };
}

/** The first due deliveries of each of these webhooks, about as many as asked for in all, in the order of their turns. */
export async function firstOfEach(
  tables: Tables,
  dialect: WebhookDialect,
  request: { readonly now: number; readonly webhookIds: readonly number[]; readonly limit: number },
): Promise<Candidate[]> {
  const { now, webhookIds, limit } = request;
  if (webhookIds.length === 0) return [];
  const places = Math.min(Math.ceil(limit / webhookIds.length), MAX_PLACES);
  // Not a join of each webhook's first: MariaDB has no `lateral`, and reading a few rows again costs less than all.
  const rows = await tables
    .selectFrom('webhooks')
    .select(
      Array.from({ length: places }, (_, place) =>
        sql<number | null>`(${lineOf(tables, dialect, now, sql<number>`webhooks.id`)
          .select('webhook_deliveries.id')
          .limit(1)
          .offset(place)})`.as(`place_${place}`),
      ),
    )
    .where('webhooks.id', 'in', webhookIds)
    .execute();
  const ids = rows.flatMap((found) =>
    Object.values(found).flatMap((id) => (id === null ? [] : [Number(id)])),
  );
  return ids.length === 0 ? [] : await candidatesById(tables, ids);
}

/** One webhook's deliveries that are due and that nobody holds, in the order of their turns. */
function lineOf(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  webhookId: ReturnType<typeof sql<number>>,
) {
  return freeRows(tables, dialect, now, 'webhook_deliveries_waiting')
    .where('webhook_deliveries.webhook_id', '=', webhookId)
    .orderBy('turn_at')
    .orderBy('id');
}

async function candidatesById(tables: Tables, ids: readonly number[]): Promise<Candidate[]> {
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'turn_at'])
    .where('id', 'in', ids)
    .execute();
  return rows.map(candidateOf).sort(byTurn);
}

export async function dueSummary(
  { read, dialect }: TableAccess,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<DueSummary> {
  const { oldest, due } = await read((tables) =>
    tables
      .selectFrom(
        dueRows(tables, dialect, now)
          .select('next_attempt_at')
          .limit(Math.max(limit, MIN_SUMMARY_ROWS))
          .as('line'),
      )
      .select((line) => [
        line.fn.min('line.next_attempt_at').as('oldest'),
        line.fn.countAll<number>().as('due'),
      ])
      .executeTakeFirstOrThrow(),
  );
  return { oldestDueAt: oldest, due: Math.min(Number(due), limit) };
}

function candidateOf(row: { id: number; webhook_id: number; turn_at: string | null }): Candidate {
  return { id: Number(row.id), webhookId: Number(row.webhook_id), turnAt: row.turn_at ?? '' };
}

function byTurn(
  a: { readonly turnAt: string; readonly id: number },
  b: { readonly turnAt: string; readonly id: number },
): number {
  return a.turnAt < b.turnAt ? -1 : a.turnAt > b.turnAt ? 1 : a.id - b.id;
}
