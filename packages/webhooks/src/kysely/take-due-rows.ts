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
/** How many suspects one statement asks for; more are asked for where those have nothing due. */
const SUSPECTS_PER_STEP = 256;
/** How often it reads more of them, each time twice as many, where other processes take what it has read. */
const MAX_READINGS = 4;

/** What one claim leaves for the next. */
export interface ScanCursor {
  /** Where the scan goes on, so that every webhook is served in turn. */
  readonly afterWebhookId: number;
  /** Where the first of the claims began that have taken nothing since; undefined where the last one took something. */
  readonly nothingSince: number | undefined;
}

/** What a claim took, whether anything it has not looked at may be due, and where the next one goes on. */
export interface Taken<Row extends ClaimRow> {
  readonly rows: Row[];
  readonly isComplete: boolean;
  readonly cursor: ScanCursor;
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
    return { rows: batch.rows, isComplete: true, cursor: { ...cursor, nothingSince: undefined } };
  }
  const startedAfter = cursor.nothingSince ?? cursor.afterWebhookId;
  const scanned = await scan(tables, dialect, request, { ...cursor, startedAfter }, batch);
  const hadAll = await takeMore(tables, dialect, now, scanned.found, batch);
  const hasTaken = batch.rows.length > 0;
  // Where all that was tried is locked, whoever locked it has it: another claim, or a transaction that stays open for long.
  const isComplete = scanned.isRound && (hadAll || !hasTaken);
  const served = batch.lastInTurn() ?? cursor.afterWebhookId;
  return {
    rows: batch.rows,
    isComplete,
    cursor: {
      // Where the claim is full, webhooks behind the last one that was served have not had their turn.
      afterWebhookId:
        batch.left() > 0 ? scanned.afterWebhookId : served === scanned.lastWebhookId ? 0 : served,
      nothingSince: hasTaken || isComplete ? undefined : startedAfter,
    },
  };
}

interface Scan {
  /** The first due delivery of every webhook with room: those tried already, and others for {@link takeMore}. */
  readonly found: readonly Candidate[];
  readonly afterWebhookId: number;
  /** The last webhook of all, where the scan came so far. */
  readonly lastWebhookId: number | undefined;
  /** Whether the scan has been all the way round since `startedAfter`. */
  readonly isRound: boolean;
}

/**
 * Scans from webhook to webhook until as many have something due and nothing in flight as the claim wants, and takes
 * the first delivery of each.
 */
async function scan<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  { startedAfter, ...cursor }: ScanCursor & { readonly startedAfter: number },
  batch: ClaimedBatch<Row>,
): Promise<Scan> {
  const { now } = request;
  const { share, tried } = batch;
  const found = await firstsOfSuspects(tables, dialect, request, batch);
  let { afterWebhookId } = cursor;
  let last: number | undefined;
  let isRound = false;
  for (let step = 0; step < MAX_STEPS && !isRound; step++) {
    const webhooks = webhooksOfStep(step, batch.left());
    const scanned = await scanWebhooks(tables, dialect, { now, afterWebhookId, webhooks });
    // After its end the scan begins again at the first webhook, and stops where it has begun.
    const isSecondHalf = afterWebhookId < startedAfter;
    const isNext = ({ webhookId }: Candidate) =>
      share.suspectRank(webhookId) === undefined &&
      share.roomOf(webhookId) > 0 &&
      !(isSecondHalf && webhookId > startedAfter);
    found.push(...scanned.firsts.filter(isNext));
    const { isEnd, lastWebhookId } = scanned;
    if (isEnd) last = lastWebhookId;
    afterWebhookId = isEnd ? 0 : lastWebhookId;
    isRound = startedAfter === 0 ? isEnd : isSecondHalf && (isEnd || lastWebhookId >= startedAfter);
    const idle = found.filter(({ id, webhookId }) => !tried.has(id) && share.isIdle(webhookId));
    const inOrder = inTurn(idle, share);
    if (takeWithRoom(inOrder, batch.left(), share.copy()).length < batch.left()) continue;
    await batch.take(inOrder);
    if (batch.left() === 0) break;
  }
  return { found, afterWebhookId, lastWebhookId: last, isRound };
}

/**
 * The first due delivery of as many suspects as may get one, in their order, those with nothing in flight first, however many
 * have nothing due.
 */
async function firstsOfSuspects<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  { now, suspects = new Set(), suspectSlots = suspects.size }: ClaimRequest,
  batch: ClaimedBatch<Row>,
): Promise<Candidate[]> {
  const wanted = Math.min(suspectSlots, batch.left());
  const { isIdle, roomOf } = batch.share;
  const free = [...suspects].filter((webhookId) => roomOf(webhookId) > 0);
  const withRoom = [...free.filter(isIdle), ...free.filter((webhookId) => !isIdle(webhookId))];
  const found: Candidate[] = [];
  for (let asked = 0; asked < withRoom.length && found.length < wanted; asked += SUSPECTS_PER_STEP) {
    const webhookIds = withRoom.slice(asked, asked + SUSPECTS_PER_STEP);
    found.push(...(await firstsOf(tables, dialect, now, webhookIds)));
  }
  return found.slice(0, wanted);
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
): Promise<boolean> {
  const { share, tried } = batch;
  for (let reading = 0; reading < MAX_READINGS && batch.left() > 0; reading++) {
    const withRoom = found.filter(({ webhookId }) => share.roomOf(webhookId) > 0);
    const webhookIds = withRoom.map(({ webhookId }) => webhookId).slice(0, MAX_WEBHOOKS_WITH_MORE);
    const wanted = (Math.ceil((batch.left() * SURPLUS) / webhookIds.length) + 1) * 2 ** reading;
    // What was tried may still look free: to this transaction, or because others have not committed.
    const places = wanted + tried.size;
    const more = await firstOfEach(tables, dialect, { now, webhookIds, places });
    const known = new Set([...tried, ...withRoom.map(({ id }) => id)]);
    const unknown = more.filter(({ id }) => !known.has(id));
    await batch.take(inTurn([...withRoom, ...unknown], share));
    const counts = new Map<number, number>();
    for (const { webhookId } of more) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    const mayHaveMore = (webhookId: number) =>
      share.roomOf(webhookId) > 0 && (counts.get(webhookId) ?? 0) >= places;
    if (!webhookIds.some(mayHaveMore)) return withRoom.length === webhookIds.length;
  }
  return batch.left() === 0;
}

function webhooksOfStep(step: number, wanted: number): number {
  const webhooks = Math.max(Math.ceil(SURPLUS * wanted), MIN_WEBHOOKS_PER_STEP) * 2 ** step;
  return Math.min(webhooks, MAX_WEBHOOKS_PER_STEP);
}
