import { timestampText } from '../clock.ts';
import type { ClaimRequest } from '../storage/delivery-requests.ts';
import type { Candidate } from './due-deliveries.ts';
import type { ClaimRow } from './hand.ts';
import { fullWebhooks } from './shares.ts';

/** How many claims take what stands behind a crowd, before one looks for who may stand in front of its end. */
export const CLAIMS_BEHIND_CROWD = 15;
/** How many deliveries a webhook gets meanwhile: so long waits whoever has had none at the look and has one after it. */
const TURNS_BEHIND_CROWD = 4;

/** Rows at the head of the line that were nobody's but these webhooks', which had their share. */
export interface Crowd {
  readonly webhookIds: readonly number[];
  /** The first row behind it. */
  readonly end: Candidate;
  /** How many more claims may rely on it. */
  readonly claims: number;
  /** How many deliveries each webhook that had some, and room for them, has been given since. */
  readonly given: ReadonlyMap<number, number>;
}

/** What the first deliveries of all webhooks say of the head of the line. */
export function crowdBefore(firsts: readonly Candidate[], request: ClaimRequest): Crowd | undefined {
  const isFull = new Set(fullWebhooks(request));
  const length = firsts.findIndex(({ webhookId }) => !isFull.has(webhookId));
  const end = firsts[length];
  if (end === undefined || length === 0) return undefined;
  // A retry stands later in line than now: first attempts to come would stand in front of it.
  if (end.turnAt > timestampText(request.now)) return undefined;
  const webhookIds = firsts.slice(0, length).map(({ webhookId }) => webhookId);
  const given = new Map(firsts.flatMap(({ webhookId }) => (isFull.has(webhookId) ? [] : [[webhookId, 0]])));
  return { webhookIds, end, claims: CLAIMS_BEHIND_CROWD, given };
}

/** The crowd after a claim that gave these rows. */
export function withGiven(crowd: Crowd, rows: readonly ClaimRow[]): Crowd {
  const given = new Map(crowd.given);
  for (const row of rows) {
    const webhookId = Number(row.webhook_id);
    given.set(webhookId, (given.get(webhookId) ?? 0) + 1);
  }
  return { ...crowd, given };
}

/** Whether nobody is more than one delivery ahead of anybody. */
export function hasEqualParts({ given }: Crowd): boolean {
  const counts = [...given.values()];
  return Math.max(...counts) <= Math.min(...counts) + 1;
}

/** Whether so many more may be given before somebody has had all turns. */
export function hasTurnsFor({ given }: Crowd, deliveries: number): boolean {
  let sum = deliveries;
  for (const count of given.values()) sum += count;
  return sum <= TURNS_BEHIND_CROWD * given.size;
}
