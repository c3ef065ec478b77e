import type { Expression, Selectable } from 'kysely';
import type { ClaimRequest } from '../storage/delivery-requests.ts';
import type { WebhookDialect } from './dialect.ts';
import { type Candidate, isFree } from './due-deliveries.ts';
import type { DeliveryTable, Tables } from './tables.ts';

/** What a claim reads of a row. */
export const CLAIM_COLUMNS = [
  'id',
  'webhook_id',
  'delivery_id',
  'event',
  'payload',
  'created_at',
  'attempts',
  'series_start',
  'attempt_log',
  'turn_at',
  'claim_token',
  'is_counted',
] as const;

export type ClaimRow = Pick<Selectable<DeliveryTable>, (typeof CLAIM_COLUMNS)[number]>;

/** A statement that finds rows that are due and free, and locks them; all that it finds are the claim's. */
export type FreeRows = Expression<ClaimRow> & { execute(): Promise<ClaimRow[]> };

/** Runs such a statement, and may do more to what it finds. */
export type TakeRows<Row extends ClaimRow> = (free: FreeRows) => Promise<Row[]>;

/** What a claim has taken so far. */
export interface Hand<Row extends ClaimRow> {
  readonly rows: Row[];
  /** Of the rows: where they are held only at the end, they look free until then, to this transaction alone. */
  readonly ids: ReadonlySet<number>;
  isFull(): boolean;
  readonly hasRoom: (webhookId: number) => boolean;
  /** Takes candidates in their order, each once and as long as there is room; true where a webhook had no room for one. */
  take(candidates: readonly Candidate[]): Promise<boolean>;
}

/** How often a hand reaches for candidates that others may have taken: 255 times what is left, and so a whole window. */
const MAX_ROUNDS = 8;

export function emptyHand<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  { now, limit, maxPerWebhook, inFlight }: ClaimRequest,
  takeRows: TakeRows<Row>,
): Hand<Row> {
  const rows: Row[] = [];
  const ids = new Set<number>();
  const held = new Map(inFlight);
  const room = (webhookId: number) => maxPerWebhook - (held.get(webhookId) ?? 0);
  return {
    rows,
    ids,
    isFull: () => rows.length >= limit,
    hasRoom: (webhookId) => room(webhookId) > 0,
    async take(candidates) {
      // By their ids: a row that it takes still looks free to its transaction, and must not come twice.
      const untried = new Map(
        candidates.filter(({ id }) => !ids.has(id)).map((candidate) => [candidate.id, candidate]),
      );
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const left = limit - rows.length;
        // Others claim at the same time: what they took is tried no more, and of what comes next ever more at once.
        const chosen = chooseCandidates(untried.values(), left * 2 ** round, room);
        if (chosen.length === 0) break;
        for (const { id } of chosen) untried.delete(id);
        for (const row of await takeRows(freeAmong(tables, dialect, now, chosen, left))) {
          const webhookId = Number(row.webhook_id);
          rows.push(row);
          ids.add(Number(row.id));
          held.set(webhookId, (held.get(webhookId) ?? 0) + 1);
        }
      }
      for (const { webhookId } of untried.values()) if (room(webhookId) <= 0) return true;
      return false;
    },
  };
}

/** The first of the candidates for which there is room. */
function chooseCandidates(
  candidates: Iterable<Candidate>,
  limit: number,
  room: (webhookId: number) => number,
): Candidate[] {
  const chosen: Candidate[] = [];
  const places = new Map<number, number>();
  for (const candidate of candidates) {
    if (chosen.length >= limit) break;
    const left = places.get(candidate.webhookId) ?? room(candidate.webhookId);
    if (left <= 0) continue;
    places.set(candidate.webhookId, left - 1);
    chosen.push(candidate);
  }
  return chosen;
}

/** Those of the candidates that are still due and free, as many as asked for: no more are locked. */
function freeAmong(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  candidates: readonly Candidate[],
  limit: number,
): FreeRows {
  const ids = candidates.map(({ id }) => id);
  const free = tables
    .selectFrom('webhook_deliveries')
    .select(CLAIM_COLUMNS)
    .where('id', 'in', ids)
    .where(isFree(dialect, now));
  const wanted = candidates.length > limit ? free.orderBy('id').limit(limit) : free;
  return wanted.modifyEnd(dialect.locks.freeRows);
}
