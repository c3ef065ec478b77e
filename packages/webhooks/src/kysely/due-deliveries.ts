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

/** A stretch of the line. */
export interface Window {
  /** In the order of their turns, those of the webhooks that were to be passed over left out. */
  readonly candidates: Candidate[];
  /** Whether any were left out. */
  readonly isCrowded: boolean;
  /** Whether the line goes on behind it. */
  readonly goesOn: boolean;
}

/** The first `length` of the line, after another candidate where one is given. */
export async function readWindow(
  tables: Tables,
  dialect: WebhookDialect,
  request: {
    readonly now: number;
    readonly length: number;
    readonly after: Candidate | undefined;
    /** Their rows are counted, and not answered: they may be all that there are. */
    readonly passedOver: readonly number[];
  },
): Promise<Window> {
  const { length, passedOver } = request;
  const line = lineFrom(tables, dialect, request.now, request.after).limit(length);
  if (passedOver.length === 0) {
    const candidates = (await line.execute()).map(candidateOf);
    return { candidates, isCrowded: false, goesOn: candidates.length === length };
  }
  const counted = tables
    .selectFrom(line.as('line'))
    .select(['line.id', 'line.webhook_id', 'line.turn_at', sql<number>`count(*) over ()`.as('length')]);
  const rows = await tables
    .selectFrom(counted.as('counted'))
    .selectAll()
    .where('counted.webhook_id', 'not in', passedOver)
    .execute();
  const read = Number(rows[0]?.length ?? (await lengthOf(tables, line)));
  const candidates = rows.map(candidateOf).sort(byTurn);
  return { candidates, isCrowded: rows.length < read, goesOn: read === length };
}

async function lengthOf(tables: Tables, line: ReturnType<typeof lineFrom>): Promise<number> {
  const { length } = await tables
    .selectFrom(line.as('line'))
    .select(({ fn }) => fn.countAll<number>().as('length'))
    .executeTakeFirstOrThrow();
  return length;
}

/**
 * The ids of the first of the line from this candidate on, those of some webhooks left out, as far as `length` rows reach. SQLite
 * reads the line row by row and stops when it has enough; told to sort, it would read all of it first.
 */
export function idsBehind(
  tables: Tables,
  dialect: WebhookDialect,
  request: {
    readonly now: number;
    readonly from: Candidate;
    readonly length: number;
    readonly passedOver: readonly number[];
    readonly limit: number;
  },
) {
  const { now, from, length, passedOver, limit } = request;
  const line = lineFrom(tables, dialect, now, { ...from, id: from.id - 1 }).limit(length);
  return tables
    .selectFrom(line.as('line'))
    .select('line.id')
    .where('line.webhook_id', 'not in', passedOver)
    .limit(limit);
}

function lineFrom(tables: Tables, dialect: WebhookDialect, now: number, after: Candidate | undefined) {
  const line = dueRows(tables, dialect, now).select(['id', 'webhook_id', 'turn_at']);
  if (after === undefined) return line;
  return line
    .where('turn_at', '>=', after.turnAt)
    .where((behind) => behind.or([behind('turn_at', '>', after.turnAt), behind('id', '>', after.id)]));
}

export async function isAnyDue({ read, dialect }: TableAccess, now: number): Promise<boolean> {
  const first = await read((tables) => lineFrom(tables, dialect, now, undefined).limit(1).execute());
  return first.length > 0;
}

/** Whoever asks has taken these rows already: to it alone they may still look free. */
interface Seen {
  readonly except: ReadonlySet<number>;
}

/** What a look at the webhooks found. */
export interface Look {
  /** Of each webhook that has any, the first delivery that is due, first turn first. */
  readonly firsts: Candidate[];
  /** How many webhooks it looked at. */
  readonly looked: number;
  /** The last webhook looked at: the one it began after where there was none. */
  readonly lastWebhookId: number;
  /** Whether no webhook has a higher id. */
  readonly isEnd: boolean;
}

/**
 * Looks at so many webhooks that have pending deliveries, after the given one; steps from webhook to webhook over an
 * index of pending rows, however many rows each has.
 */
export async function lookAtWebhooks(
  tables: Tables,
  dialect: WebhookDialect,
  request: Seen & { readonly now: number; readonly afterWebhookId: number; readonly webhooks: number },
): Promise<Look> {
  const { now, afterWebhookId, webhooks, except } = request;
  const first = lineOf(tables, dialect, now, sql<number>`waiting.webhook_id`, except)
    .select('webhook_deliveries.id')
    .limit(1);
  const found = tables
    .selectFrom(dialect.waitingWebhooks(afterWebhookId, webhooks).as('waiting'))
    .select('waiting.webhook_id')
    // Not a condition of `first`: MySQL would join that, and sort all of the webhook's rows for it.
    .select(
      sql<
        number | null
      >`case when waiting.webhook_id not in (${removedWebhooks(tables)}) then (${first}) end`.as('first_id'),
    );
  const rows = await tables
    .selectFrom(found.as('found'))
    .leftJoin('webhook_deliveries as first', 'first.id', 'found.first_id')
    .select(['found.webhook_id', 'first.id', 'first.turn_at'])
    .execute();
  const firsts = rows.flatMap(({ id, webhook_id, turn_at }) =>
    id === null ? [] : [candidateOf({ id, webhook_id, turn_at })],
  );
  const lastWebhookId = rows.reduce((last, row) => Math.max(last, Number(row.webhook_id)), afterWebhookId);
  return {
    ...{ firsts: firsts.sort(byTurn), looked: rows.length },
    ...{ lastWebhookId, isEnd: rows.length < webhooks },
  };
}

/** The first due deliveries of each of these webhooks, about as many as asked for in all, in the order of their turns. */
export async function firstOfEach(
  tables: Tables,
  dialect: WebhookDialect,
  request: Seen & { readonly now: number; readonly webhookIds: readonly number[]; readonly limit: number },
): Promise<Candidate[]> {
  const { now, webhookIds, limit, except } = request;
  if (webhookIds.length === 0) return [];
  const places = Math.min(Math.ceil(limit / webhookIds.length), MAX_PLACES);
  // Not a join of each webhook's first: MariaDB has no `lateral`, and reading a few rows again costs less than all.
  const rows = await tables
    .selectFrom('webhooks')
    .select(
      Array.from({ length: places }, (_, place) =>
        sql<number | null>`(${lineOf(tables, dialect, now, sql<number>`webhooks.id`, except)
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
  except: ReadonlySet<number>,
) {
  const free = freeRows(tables, dialect, now, 'webhook_deliveries_waiting');
  const others = except.size === 0 ? free : free.where('webhook_deliveries.id', 'not in', [...except]);
  return (
    others
      .where('webhook_deliveries.webhook_id', '=', webhookId)
      // Always the same here. Without it MySQL sorts all of the webhook's rows where another table names it.
      .orderBy('webhook_id')
      .orderBy('turn_at')
      .orderBy('id')
  );
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

function byTurn(a: Candidate, b: Candidate): number {
  return a.turnAt < b.turnAt ? -1 : a.turnAt > b.turnAt ? 1 : a.id - b.id;
}
