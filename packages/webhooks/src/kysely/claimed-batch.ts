import type { Expression, Selectable } from 'kysely';
import type { ClaimRequest } from '../storage/delivery-requests.ts';
import { createFairShare, type FairShare, takeWithRoom } from '../storage/fair-share.ts';
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
export interface ClaimedBatch<Row extends ClaimRow> {
  readonly rows: Row[];
  readonly share: FairShare;
  /** Every candidate that was taken, or that another process took first. */
  readonly tried: ReadonlySet<number>;
  /** How many more the claim may take. */
  left(): number;
  /** Takes candidates in their order, each once and as long as there is room. */
  take(candidates: readonly Candidate[]): Promise<void>;
  /** The webhook up to which the last candidates were served in their order, suspects left out. */
  lastInTurn(): number | undefined;
}

/** How often a batch reaches for candidates that others may have taken: 255 times what is left. */
const MAX_ROUNDS = 8;

export function createClaimedBatch<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  takeRows: TakeRows<Row>,
): ClaimedBatch<Row> {
  const rows: Row[] = [];
  const tried = new Set<number>();
  const share = createFairShare(request);
  const left = () => request.limit - rows.length;
  let lastInTurn: number | undefined;

  /** Takes those of the chosen that are free, at most as many as are left. */
  async function takeFree(chosen: readonly Candidate[]): Promise<void> {
    const wanted = left();
    const free = await takeRows(freeAmong(tables, dialect, request.now, chosen, wanted));
    for (const row of free) {
      rows.push(row);
      share.add(Number(row.webhook_id));
    }
    // Cut off by the limit, the others may be free as well.
    const isCutOff = chosen.length > wanted && free.length === wanted;
    for (const { id } of isCutOff ? free : chosen) tried.add(Number(id));
  }

  return {
    rows,
    share,
    tried,
    left,
    lastInTurn: () => lastInTurn,
    async take(candidates) {
      for (let round = 0; round < MAX_ROUNDS && left() > 0; round++) {
        const untried = candidates.filter(({ id }) => !tried.has(id));
        // Others claim at the same time: what they took is tried no more, and of what comes next ever more at once.
        const chosen = takeWithRoom(untried, left() * 2 ** round, share.copy());
        if (chosen.length === 0) break;
        await takeFree(chosen);
      }
      const others = candidates.filter(({ webhookId }) => share.suspectRank(webhookId) === undefined);
      const firstLeft = others.findIndex(
        ({ id, webhookId }) => !tried.has(id) && share.roomOf(webhookId) > 0,
      );
      lastInTurn = (firstLeft === -1 ? others.at(-1) : others[firstLeft - 1])?.webhookId;
    },
  };
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
