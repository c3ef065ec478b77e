import { randomBytes } from 'node:crypto';
import { TEST_VARIANT } from '../test-deliveries.ts';

/**
 * Characters that the ids of one dispatch's deliveries have in common: 12 of time, 10 random ones,
 * version and variant.
 */
const PREFIX_LENGTH = 24;
const DISPATCH_ID = /^[0-9a-f]{40}$/;
/** Characters of a delivery's id. */
const ID_LENGTH = 32;
/** Hexadecimal digits of a dispatch's id that are random: 10 of the prefix, 8 of each number. */
const RANDOM_DIGITS = 26;
/**
 * Dispatches that one call of the random generator is for. Each call takes 3 µs, hardly any of
 * which is for the bytes.
 */
const IDS_PER_CALL = 64;

const generated = { random: '', next: 0, ms: -1, time: '' };

/** Which dispatch an id is for. */
interface DispatchIdOptions {
  /** Whether it is an administrator's test: see {@link isTestDelivery}. Default: false. */
  readonly isTest?: boolean;
}

/**
 * Generates the id of a dispatch, 40 hexadecimal digits, from which its deliveries' ids follow.
 */
export function generateDispatchId({ isTest = false }: DispatchIdOptions = {}): string {
  if (generated.next === generated.random.length) {
    generated.random = randomBytes((RANDOM_DIGITS / 2) * IDS_PER_CALL).toString('hex');
    generated.next = 0;
  }
  const start = generated.next;
  generated.next += RANDOM_DIGITS;
  const { random } = generated;
  // A UUID of version 7 without hyphens (RFC 9562, section 5.7): rows written together are together
  // in an index, which soon outgrows memory. With random ids, a burst on SQLite wrote nearly twice
  // as much of the log. The number of the row would tell recipients how much others are sent.
  const variant = isTest ? TEST_VARIANT : '8';
  return `${timeDigits()}7${random.slice(start, start + 3)}${variant}${random.slice(start + 3, generated.next)}`;
}

function timeDigits(): string {
  const ms = Date.now();
  if (ms !== generated.ms) {
    generated.ms = ms;
    generated.time = ms.toString(16).padStart(12, '0');
  }
  return generated.time;
}

/**
 * The id of a dispatch's delivery to a webhook: 32 hexadecimal digits, the same at every try to
 * write it. Every storage computes it so, since the id also says whether the delivery is a test
 * ({@link isTestDelivery}). A statement can compute it for webhooks that only it has found: the
 * first 24 digits of the dispatch's id, and then eight digits of `(webhookId × factor + offset) mod
 * 2^32`. `offset` is the number in digits 25 to 32, `factor` half of that in digits 33 to 40, odd:
 * `(number >> 1) | 1`.
 *
 * Injective for webhook ids below 2^32. A recipient cannot compute other recipients' ids from its
 * own: both numbers are random.
 *
 * @param dispatchId 40 hexadecimal digits, the `id` of the `DispatchRecord`
 */
export function deliveryIdOf(dispatchId: string, webhookId: number): string {
  const { prefix, factor, offset } = deliveryIdParts(dispatchId);
  const number = (Math.imul(webhookId, factor) + offset) >>> 0;
  return prefix + number.toString(16).padStart(ID_LENGTH - PREFIX_LENGTH, '0');
}

/** The numbers of a dispatch's id, for statements: `factor` below 2^31, `offset` below 2^32. */
export function deliveryIdParts(dispatchId: string): {
  readonly prefix: string;
  readonly factor: number;
  readonly offset: number;
} {
  if (!DISPATCH_ID.test(dispatchId)) throw new TypeError('the id of a dispatch has 40 hexadecimal digits');
  const offset = Number.parseInt(dispatchId.slice(PREFIX_LENGTH, PREFIX_LENGTH + 8), 16);
  const factor = (Number.parseInt(dispatchId.slice(PREFIX_LENGTH + 8), 16) >>> 1) | 1;
  return { prefix: dispatchId.slice(0, PREFIX_LENGTH), factor, offset };
}

/** What the id of a dispatch and those of its deliveries begin with, and no other. */
export function dispatchPrefixOf(id: string): string {
  return id.slice(0, PREFIX_LENGTH);
}

/** The first and the last id that a delivery of the dispatch may have. */
export function deliveryIdRange(dispatchId: string): readonly [first: string, last: string] {
  const prefix = dispatchPrefixOf(dispatchId);
  return [prefix.padEnd(ID_LENGTH, '0'), prefix.padEnd(ID_LENGTH, 'f')];
}
