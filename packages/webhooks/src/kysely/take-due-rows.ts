import type { ClaimRequest } from '../storage/delivery-requests.ts';
import {
  CLAIMS_BEHIND_CROWD,
  type Crowd,
  crowdBefore,
  hasEqualParts,
  hasTurnsFor,
  withGiven,
} from './crowd.ts';
import type { WebhookDialect } from './dialect.ts';
import {
  type Candidate,
  dueRows,
  firstOfEach,
  idsBehind,
  lookAtWebhooks,
  readWindow,
} from './due-deliveries.ts';
import { CLAIM_COLUMNS, type ClaimRow, emptyHand, type FreeRows, type Hand, type TakeRows } from './hand.ts';
import { everyWebhookHasRoom, fullWebhooks, hasRoomFor, mayTryFirst } from './shares.ts';
import type { Tables } from './tables.ts';

/** Rows of the line that a claim reads at once, for each that it may take: some are others', some webhooks have enough. */
const WINDOW_FACTOR = 4;
const MIN_WINDOW = 64;
/** How often a claim reads on behind a window of which others took everything. */
const MAX_WINDOWS = 8;
/** How often a claim looks at webhooks with pending deliveries one by one, and how many of them at a time. */
const MAX_LOOKS = 8;
const MIN_WEBHOOKS_PER_LOOK = 64;
const WEBHOOKS_PER_DELIVERY = 4;
/** One webhook in so many, or fewer. */
const FEW = 4;
const MAX_WEBHOOKS_PER_LOOK = 256;
/** How many claims go past a window in which nobody had room, or few, before one reads it again. */
const CLAIMS_PAST_WINDOW = 15;

/** What one claim leaves for the next. */
export interface LookMark {
  /** Where the last look at the webhooks ended. The next one goes on there, so that no webhook waits for ever. */
  afterWebhookId: number;
  /** Where the first of the looks began that have found nothing so far; undefined before the first. */
  foundNothingSince: number | undefined;
  /** How many claims need not read the window, because one has found nobody there but webhooks that have their share, or few others. */
  claimsPastWindow: number;
  /** What the last look found and had no place for. Somebody may have taken it since. */
  spare: readonly Candidate[];
  /** What stood at the head of the line when a look last went all the way round; undefined where nobody knows, or not any more. */
  crowd: Crowd | undefined;
  /** How many claims look for no crowd, because it was of no use to one: too little stood behind it, or too much of one webhook. */
  claimsWithoutCrowd: number;
}

export function newLookMark(): LookMark {
  return {
    afterWebhookId: 0,
    foundNothingSince: undefined,
    claimsPastWindow: 0,
    spare: [],
    crowd: undefined,
    claimsWithoutCrowd: 0,
  };
}

/** What a claim took, and whether anything it has not looked at may be due. */
export interface Taken<Row extends ClaimRow> {
  readonly rows: Row[];
  readonly isComplete: boolean;
}

/** Takes rows that are due and free: at most as many as asked for, and of one webhook as many as it has room for. */
export async function takeDueRows<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
  takeRows: TakeRows<Row>,
): Promise<Taken<Row>> {
  if (everyWebhookHasRoom(request)) {
    return { rows: await takeRows(firstRows(tables, dialect, request)), isComplete: true };
  }
  if (mayTryFirst(dialect, request)) {
    const first = await takeRows(firstRows(tables, dialect, request));
    if (hasRoomFor(first, request)) return { rows: first, isComplete: true };
  }
  const taken = await takePastFull(tables, dialect, request, mark, takeRows);
  if (mark.crowd !== undefined) mark.crowd = withGiven(mark.crowd, taken.rows);
  return taken;
}

/** {@link takeDueRows} where some webhook has its share, or would get more. */
async function takePastFull<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
  takeRows: TakeRows<Row>,
): Promise<Taken<Row>> {
  const behindCrowd = await takeBehindCrowd(tables, dialect, request, mark, takeRows);
  if (behindCrowd !== undefined) return { rows: behindCrowd, isComplete: true };
  const hand = emptyHand(tables, dialect, request, takeRows);
  const isComplete =
    (await readLine(tables, dialect, request, mark, hand)) ||
    (await askWebhooks(tables, dialect, request, mark, hand));
  return { rows: hand.rows, isComplete };
}

/**
 * Where a crowd is known and still has no room: what stands behind it, in the order of the line and in one statement, if it is as
 * much as is wanted and nobody gets ahead: of those whom the last look found, none has a third one before all have a second.
 * Whoever has come to stand in front of its end, as a delivery does whose lease has run out, waits for the
 * claims that look for them. For a writer that is alone: it may look at rows and leave them.
 */
async function takeBehindCrowd<Row extends ClaimRow>(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
  takeRows: TakeRows<Row>,
): Promise<Row[] | undefined> {
  const { crowd } = mark;
  if (mark.claimsWithoutCrowd > 0) mark.claimsWithoutCrowd -= 1;
  if (!dialect.isEmbedded || crowd === undefined) return undefined;
  mark.crowd = crowd.claims > 1 ? { ...crowd, claims: crowd.claims - 1 } : undefined;
  const { now, limit } = request;
  const passedOver = fullWebhooks(request);
  const isFull = new Set(passedOver);
  if (!crowd.webhookIds.every((webhookId) => isFull.has(webhookId))) return undefined;
  if (!hasTurnsFor(crowd, limit)) {
    mark.crowd = undefined;
    return undefined;
  }
  const behind = idsBehind(tables, dialect, {
    now,
    from: crowd.end,
    length: windowOf(limit),
    passedOver,
    limit,
  });
  const rows = await takeRows(
    tables.selectFrom('webhook_deliveries').select(CLAIM_COLUMNS).where('id', 'in', behind),
  );
  if (rows.length < limit || !hasRoomFor(rows, request) || !hasEqualParts(withGiven(crowd, rows))) {
    mark.crowd = undefined;
    mark.claimsWithoutCrowd = CLAIMS_BEHIND_CROWD;
    return undefined;
  }
  mark.foundNothingSince = undefined;
  mark.claimsPastWindow = Math.max(0, mark.claimsPastWindow - 1);
  const ids = new Set(rows.map(({ id }) => Number(id)));
  mark.spare = mark.spare.filter(({ id }) => !ids.has(id));
  return rows;
}

/**
 * Takes from the first of the line what there is room for. True unless it is crowded: by webhooks that have their share, or, where
 * some have, by few others, whose backlog everybody else would wait for.
 */
async function readLine(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
  hand: Hand<ClaimRow>,
): Promise<boolean> {
  const { now, limit } = request;
  const length = windowOf(limit);
  const passedOver = fullWebhooks(request);
  if (passedOver.length === 0) mark.claimsPastWindow = 0;
  if (mark.claimsPastWindow > 0) {
    mark.claimsPastWindow -= 1;
    return false;
  }
  for (let windows = 0, after: Candidate | undefined; windows < MAX_WINDOWS; windows++) {
    const window = await readWindow(tables, dialect, { now, length, after, passedOver });
    const isMore = window.goesOn || window.candidates.length > limit;
    if (passedOver.length > 0 && isMore && isOfFew(window.candidates)) {
      mark.claimsPastWindow = CLAIMS_PAST_WINDOW;
      return false;
    }
    const isCrowded = (await hand.take(window.candidates)) || window.isCrowded;
    if (hand.isFull() || !window.goesOn) return true;
    if (isCrowded) return false;
    after = window.candidates.at(-1);
  }
  return false;
}

/** Also where nobody is left. */
function isOfFew(candidates: readonly Candidate[]): boolean {
  return new Set(candidates.map(({ webhookId }) => webhookId)).size * FEW <= candidates.length;
}

function windowOf(limit: number): number {
  return Math.max(limit * WINDOW_FACTOR, MIN_WINDOW);
}

/**
 * Where the line is full of webhooks that have their share: takes the first of one webhook after the other, goes on where the
 * last claim ended, and if all the way round was not enough takes more of each. True once looks have gone all the way round and found nothing.
 */
async function askWebhooks(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
  hand: Hand<ClaimRow>,
): Promise<boolean> {
  const { now, limit } = request;
  const startedAfter = mark.afterWebhookId;
  const seen = new Set<number>();
  const takeFrom = async (candidates: readonly Candidate[]) => {
    await hand.take(candidates);
    for (const { webhookId } of candidates) seen.add(webhookId);
    mark.spare = hand.isFull() ? candidates.filter(({ id }) => !hand.ids.has(id)) : [];
  };
  const takeMoreOf = async (webhooks: Iterable<number>) => {
    const left = limit - hand.rows.length;
    const webhookIds = [...webhooks].filter(hand.hasRoom).slice(0, left);
    await hand.take(await firstOfEach(tables, dialect, { now, webhookIds, limit: left, except: hand.ids }));
  };
  // Where they are not enough, they are taken together with what the first look finds: a statement less.
  let carried = mark.spare.filter(({ webhookId }) => hand.hasRoom(webhookId));
  if (carried.length >= limit - hand.rows.length) {
    await takeFrom(carried);
    carried = [];
  }
  if (hand.rows.length > 0) mark.foundNothingSince = undefined;
  for (let looks = 0; looks < MAX_LOOKS && !hand.isFull(); looks++) {
    const { afterWebhookId } = mark;
    mark.foundNothingSince ??= afterWebhookId;
    const wanted = limit - hand.rows.length - carried.length;
    const look = { now, afterWebhookId, webhooks: webhooksOf(looks, wanted) };
    const { firsts, looked, lastWebhookId, isEnd } = await lookAtWebhooks(tables, dialect, {
      ...look,
      // What is carried is as good as taken: its webhook's next one is its first.
      except: new Set([...hand.ids, ...carried.map(({ id }) => id)]),
    });
    const isAllTheWay = afterWebhookId === 0 && isEnd;
    if (dialect.isEmbedded && isAllTheWay && mark.claimsWithoutCrowd === 0) {
      mark.crowd = crowdBefore(firsts, request);
    }
    const takeable = firsts.filter(({ webhookId }) => hand.hasRoom(webhookId));
    await takeFrom([...carried, ...takeable]);
    carried = [];
    // Where hardly anybody has something due, more of those who have costs less than a look at the others.
    if (firsts.length * FEW < looked) await takeMoreOf(takeable.map(({ webhookId }) => webhookId));
    mark.afterWebhookId = isEnd ? 0 : lastWebhookId;
    const isRoundSince = (start: number) =>
      start === 0 ? isEnd : afterWebhookId < start && (isEnd || lastWebhookId >= start);
    if (takeable.length > 0) {
      // They may have more, also where others were faster, and so may those for which there was no place left.
      mark.foundNothingSince = undefined;
    } else if (isRoundSince(mark.foundNothingSince)) {
      mark.foundNothingSince = undefined;
      return true;
    }
    // Once round is enough for one claim.
    if (isRoundSince(startedAfter)) break;
  }
  await takeMoreOf(seen);
  return false;
}

/** Several times as many as deliveries are wanted: what is found and not taken spares the next claims their look. */
function webhooksOf(looks: number, wanted: number): number {
  return Math.min(
    Math.max(WEBHOOKS_PER_DELIVERY * wanted, MIN_WEBHOOKS_PER_LOOK) * 2 ** looks,
    MAX_WEBHOOKS_PER_LOOK,
  );
}

/** The first of the line that are free, locked as they are read. */
function firstRows(tables: Tables, dialect: WebhookDialect, { now, limit }: ClaimRequest): FreeRows {
  return dueRows(tables, dialect, now).select(CLAIM_COLUMNS).limit(limit).modifyEnd(dialect.locks.freeRows);
}
