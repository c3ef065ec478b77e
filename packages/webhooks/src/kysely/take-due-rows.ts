import type { ClaimRequest } from '../storage/delivery-requests.ts';
import { inTurn, takeWithRoom } from '../storage/fair-share.ts';
import { type ClaimedBatch, type ClaimRow, createClaimedBatch, type TakeRows } from './claimed-batch.ts';
import type { WebhookDialect } from './dialect.ts';
import { type Candidate, firstOfEach, firstsOf, readReadyQueue, scanWebhooks } from './due-deliveries.ts';
import type { Tables } from './tables.ts';

/** How many steps of the scan one claim makes at most, each over more webhooks than the one before. */
const MAX_STEPS = 8;
const MIN_WEBHOOKS_PER_STEP = 32;
const MAX_WEBHOOKS_PER_STEP = 256;
/** How much more a claim looks at than it wants: some webhooks have no room, and some nothing more that is due. */
const SURPLUS = 1.5;
/** The most webhooks of which one claim reads more than the first delivery. */
const MAX_WEBHOOKS_WITH_MORE = 64;
/** How often it reads more of them, each time twice as many, where other processes take what it has read. */
const MAX_READINGS = 4;

/** Where the scan of the next claim goes on, so that every webhook is served in turn. */
export interface ScanCursor {
  afterWebhookId: number;
}

/** What a claim took, and whether anything it has not looked at may be due. */
export interface Taken<Row extends ClaimRow> {
  readonly rows: Row[];
  readonly isComplete: boolean;
}

/**
 * Takes rows that are due and free, within the limits of the request. Where everything due fits, takes it all; where it
 * does not, serves the webhooks in turn, those with nothing in flight first.
 */
export async function takeDueRows<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  cursor: ScanCursor,
  takeRows: TakeRows<Row>,
): Promise<Taken<Row>> {
  const { now, limit } = request;
  const batch = createClaimedBatch(tables, dialect, request, takeRows);
  const due = await readReadyQueue(tables, dialect, now, limit + 1);
  if (due.length <= limit) {
    await batch.take(inTurn(due, batch.share));
    return { rows: batch.rows, isComplete: true };
  }
  const { found, isRound } = await scan(tables, dialect, request, cursor, batch);
  if (batch.left() === 0) return { rows: batch.rows, isComplete: true };
  const hadAll = await takeMore(tables, dialect, now, found, batch, cursor);
  return { rows: batch.rows, isComplete: isRound && hadAll };
}

/**
 * Scans from webhook to webhook until as many have something due and nothing in flight as the claim wants, and takes
 * the first delivery of each. Otherwise answers the first deliveries of every webhook with room, for {@link takeMore}.
 */
async function scan<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  cursor: ScanCursor,
  batch: ClaimedBatch<Row>,
): Promise<{ readonly found: readonly Candidate[]; readonly isRound: boolean }> {
  const { now } = request;
  const { share } = batch;
  const startedAfter = cursor.afterWebhookId;
  const hasRoom = ({ webhookId }: Candidate) => share.roomOf(webhookId) > 0;
  const suspects = [...(request.suspects ?? [])].filter((webhookId) => share.roomOf(webhookId) > 0);
  const found = await firstsOf(tables, dialect, now, suspects);
  let isRound = false;
  for (let step = 0; step < MAX_STEPS && !isRound; step++) {
    const { afterWebhookId } = cursor;
    const webhooks = webhooksOfStep(step, batch.left());
    const { firsts, lastWebhookId, isEnd } = await scanWebhooks(tables, dialect, {
      ...{ now, afterWebhookId, webhooks },
    });
    // After its end the scan begins again at the first webhook, and stops where it has begun.
    const isSecondHalf = afterWebhookId < startedAfter;
    const isOthers = ({ webhookId }: Candidate) =>
      share.suspectRank(webhookId) === undefined && !(isSecondHalf && webhookId > startedAfter);
    found.push(...firsts.filter((first) => isOthers(first) && hasRoom(first)));
    cursor.afterWebhookId = isEnd ? 0 : lastWebhookId;
    isRound = startedAfter === 0 ? isEnd : isSecondHalf && (isEnd || lastWebhookId >= startedAfter);
    const idle = inTurn(
      found.filter(({ id, webhookId }) => !batch.tried.has(id) && share.isIdle(webhookId)),
      share,
    );
    if (takeWithRoom(idle, batch.left(), share.copy()).length < batch.left()) continue;
    await batch.take(idle);
    if (batch.left() > 0) continue;
    goOnAfterLast(idle, batch, cursor);
    break;
  }
  return { found, isRound };
}

/**
 * Takes the rest of what was found, and more of each of these webhooks, ever further where other processes take the same.
 * Answers whether that was all there was room for.
 */
async function takeMore<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  found: readonly Candidate[],
  batch: ClaimedBatch<Row>,
  cursor: ScanCursor,
): Promise<boolean> {
  const { share, tried } = batch;
  for (let reading = 0; reading < MAX_READINGS && batch.left() > 0; reading++) {
    const withRoom = found.filter(({ webhookId }) => share.roomOf(webhookId) > 0);
    const webhookIds = withRoom.map(({ webhookId }) => webhookId).slice(0, MAX_WEBHOOKS_WITH_MORE);
    const places = (Math.ceil((batch.left() * SURPLUS) / webhookIds.length) + 1) * 2 ** reading;
    const except = new Set([...tried, ...withRoom.map(({ id }) => id)]);
    const more = await firstOfEach(tables, dialect, { now, webhookIds, places, except });
    const candidates = inTurn([...withRoom, ...more], share);
    await batch.take(candidates);
    goOnAfterLast(candidates, batch, cursor);
    const counts = new Map<number, number>();
    for (const { webhookId } of more) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    const mayHaveMore = (webhookId: number) =>
      share.roomOf(webhookId) > 0 && (counts.get(webhookId) ?? 0) >= places;
    if (!webhookIds.some(mayHaveMore)) return withRoom.length === webhookIds.length;
  }
  return false;
}

/** Where the claim is full, webhooks behind the last one that was served have not had their turn. */
function goOnAfterLast(
  candidates: readonly Candidate[],
  { left, share, tried }: ClaimedBatch<ClaimRow>,
  cursor: ScanCursor,
): void {
  const last = candidates.findLast(
    ({ id, webhookId }) => tried.has(id) && share.suspectRank(webhookId) === undefined,
  );
  if (left() === 0 && last !== undefined) cursor.afterWebhookId = last.webhookId;
}

function webhooksOfStep(step: number, wanted: number): number {
  const webhooks = Math.max(Math.ceil(SURPLUS * wanted), MIN_WEBHOOKS_PER_STEP) * 2 ** step;
  return Math.min(webhooks, MAX_WEBHOOKS_PER_STEP);
}
