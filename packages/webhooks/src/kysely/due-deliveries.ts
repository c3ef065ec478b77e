import { type RawBuilder, sql } from 'kysely';
import type { DueSummary } from '../storage/storage.ts';
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

/** Webhooks with pending deliveries that one look at them goes through. */
const MAX_WEBHOOKS_PER_LOOK = 256;
/** Deliveries of one webhook that one look at the webhooks finds. */
const MAX_PLACES = 4;
/** The oldest is exact where no more are due. */
const MIN_SUMMARY_ROWS = 1_000;

/** Deliveries that are due and that nobody holds, in the order of their turns. */
export function dueRows(tables: Tables, dialect: WebhookDialect, now: number) {
  return freeRows(tables, dialect, now)
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .orderBy('turn_at')
    .orderBy('id');
}

/** Pending deliveries that are due and that nobody holds. */
export function freeRows(tables: Tables, dialect: WebhookDialect, now: number) {
  const present = dialect.timestamp(now);
  return (
    tables
      .selectFrom('webhook_deliveries')
      .where('status', '=', PENDING)
      // Whatever is due stands there: the bound of the index is exact but for first attempts that are not due yet.
      .where('turn_at', '<=', dialect.timestamp(now, RETRY_TURN_DELAY_MS))
      .where('next_attempt_at', '<=', present)
      .where((free) => free.or([free('locked_until', 'is', null), free('locked_until', '<=', present)]))
  );
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

/** What a look at the webhooks found. */
export interface WebhookLook {
  readonly candidates: readonly Candidate[];
  /** The last webhook that it came to: the one that it began after where there was none. */
  readonly lastWebhookId: number;
}

/**
 * The first due deliveries of each webhook that has any, for at most 256 webhooks after the given one: steps from
 * webhook to webhook over an index of pending rows, however many rows each has.
 */
export async function firstOfEachWebhook(
  tables: Tables,
  dialect: WebhookDialect,
  { now, afterWebhookId }: { readonly now: number; readonly afterWebhookId: number },
): Promise<WebhookLook> {
  const places = Array.from({ length: MAX_PLACES }, (_, place) =>
    sql<number | null>`(${freeRows(tables, dialect, now)
      .select('webhook_deliveries.id')
      .where('webhook_deliveries.webhook_id', '=', sql<number>`waiting.webhook_id`)
      .orderBy('turn_at')
      .orderBy('id')
      .limit(1)
      .offset(place)})`.as(`place_${place}`),
  );
  const rows = await tables
    .withRecursive('waiting(webhook_id, seen)', () => waitingWebhooks(afterWebhookId))
    .selectFrom('waiting')
    .select('waiting.webhook_id')
    .select(places)
    .where('waiting.webhook_id', 'is not', null)
    .where('waiting.webhook_id', 'not in', removedWebhooks(tables))
    .execute();
  const ids = rows.flatMap(({ webhook_id: _, ...found }) =>
    Object.values(found).flatMap((id) => (id === null ? [] : [Number(id)])),
  );
  const lastWebhookId = rows.reduce((last, row) => Math.max(last, Number(row.webhook_id)), afterWebhookId);
  return { candidates: ids.length === 0 ? [] : await candidatesById(tables, ids), lastWebhookId };
}

/** Ids of webhooks that have pending deliveries, in ascending order, the last one null where there are no more. */
function waitingWebhooks(afterWebhookId: number) {
  const nextAfter = (webhookId: RawBuilder<number>) => sql<number | null>`(
    select webhook_id from webhook_deliveries where status = ${PENDING} and webhook_id > ${webhookId}
    order by webhook_id limit 1)`;
  return sql<{ webhook_id: number | null; seen: number }>`(
    select ${nextAfter(sql`${sql.lit(afterWebhookId)}`)}, 1
    union all
    select ${nextAfter(sql`waiting.webhook_id`)}, seen + 1 from waiting
    where webhook_id is not null and seen < ${sql.lit(MAX_WEBHOOKS_PER_LOOK)})`;
}

async function candidatesById(tables: Tables, ids: readonly number[]): Promise<Candidate[]> {
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'turn_at'])
    .where('id', 'in', ids)
    .where('status', '=', PENDING)
    .orderBy('turn_at')
    .orderBy('id')
    .execute();
  return rows.map(candidateOf);
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
