import { randomBytes } from 'node:crypto';

/** Characters that the ids of one dispatch's deliveries have in common: 12 of time, 10 random ones, version and variant. */
const PREFIX_LENGTH = 24;
/** Characters of a delivery's id. */
const ID_LENGTH = 32;
/** Hexadecimal digits of a dispatch's id that are random: 10 of the prefix, 8 of each number. */
const RANDOM_DIGITS = 26;
/** Dispatches for which one call of the generator draws: each call takes 3 µs, of which the bytes are hardly anything. */
const IDS_PER_DRAW = 64;

/** What the ids of one dispatch's deliveries are made of: see {@link deliveryIdOf}. */
export interface DeliveryIds {
  readonly prefix: string;
  /** Odd, below 2^31. */
  readonly factor: number;
  /** Below 2^32. */
  readonly offset: number;
}

const drawn = { random: '', next: 0, ms: -1, time: '' };

/** Draws the id of a dispatch, 40 hexadecimal digits, which says what ids its deliveries have. */
export function drawDispatchId(): string {
  if (drawn.next === drawn.random.length) {
    drawn.random = randomBytes((RANDOM_DIGITS / 2) * IDS_PER_DRAW).toString('hex');
    drawn.next = 0;
  }
  const start = drawn.next;
  drawn.next += RANDOM_DIGITS;
  const { random } = drawn;
  // A UUID of version 7 without hyphens (RFC 9562, section 5.7): what is written together stands together in an index.
  return `${timeDigits()}7${random.slice(start, start + 3)}8${random.slice(start + 3, drawn.next)}`;
}

function timeDigits(): string {
  const ms = Date.now();
  if (ms !== drawn.ms) {
    drawn.ms = ms;
    drawn.time = ms.toString(16).padStart(12, '0');
  }
  return drawn.time;
}

export function deliveryIdsOf(dispatchId: string): DeliveryIds {
  const offset = Number.parseInt(dispatchId.slice(PREFIX_LENGTH, PREFIX_LENGTH + 8), 16);
  const factor = (Number.parseInt(dispatchId.slice(PREFIX_LENGTH + 8), 16) >>> 1) | 1;
  return { prefix: dispatchId.slice(0, PREFIX_LENGTH), factor, offset };
}

/**
 * The id of a dispatch's delivery to a webhook: 32 hexadecimal digits, the same at every try to write it. Databases
 * calculate the same, so that a statement can tell the ids of webhooks that only it has found.
 *
 * One to one for webhook ids below 2^32. A recipient cannot tell other recipients' ids from its own: both numbers are random.
 */
export function deliveryIdOf({ prefix, factor, offset }: DeliveryIds, webhookId: number): string {
  const number = (Math.imul(webhookId, factor) + offset) >>> 0;
  return prefix + number.toString(16).padStart(ID_LENGTH - PREFIX_LENGTH, '0');
}

/** The first and the last id that a delivery of the dispatch may have. */
export function deliveryIdRange(dispatchId: string): readonly [first: string, last: string] {
  const prefix = dispatchId.slice(0, PREFIX_LENGTH);
  return [prefix.padEnd(ID_LENGTH, '0'), prefix.padEnd(ID_LENGTH, 'f')];
}
