import type { Claims } from '../claims.ts';
import { MAX_TOKEN_LENGTH } from './token-text.ts';

/** What is known of a token once its signature, its shape and its audience are verified. */
export interface VerifiedToken {
  readonly claims: Claims;
  /** The first Unix second in which the token is valid. */
  readonly validFrom: number;
  /** The Unix second in which the token expires, the tolerance included. */
  readonly validUntil: number;
}

/**
 * Remembers verified tokens, so that a token seen before costs a look-up and not a MAC.
 *
 * - The key is the whole token text. Only a text that passed every check is a key, so equality is
 *   all there is to check on a hit, and what an attacker makes up never takes up space.
 * - Times are judged on every hit, and so are revocations, by the caller. A failure is never
 *   remembered.
 * - The keys and the audience of an instance never change: a key that is removed takes its instance
 *   along, and the cache with it. Two instances share nothing.
 */
export interface VerifiedTokenCache {
  /** Gives what is known of the token, if it is within its times. */
  find(token: string, now: number): VerifiedToken | undefined;

  /** Remembers a token that has just been verified. */
  remember(token: string, verified: VerifiedToken, now: number): void;
}

export interface VerifiedTokenCacheConfig {
  /** What the entries may take up, estimated on the high side. 0 turns the cache off. */
  readonly maxBytes: number;
  /** The longest that a token lives. */
  readonly ttlSeconds: number;
}

/**
 * The slot of the Map, the objects and the headers of their texts, on the high side for Node 20 to
 * 24.
 */
const ENTRY_BYTES = 320;
const SCOPE_BYTES = 40;

/**
 * Two generations bound the cache in bytes and in time: when the current one has taken up half of
 * the bytes, or is as old as a token can get, it becomes the previous one, and what was the
 * previous one is dropped whole. What is in use moves to the current one at its next hit. Nothing
 * is ever searched for something to evict.
 */
export function createVerifiedTokenCache({
  maxBytes,
  ttlSeconds,
}: VerifiedTokenCacheConfig): VerifiedTokenCache {
  let previous = new Map<string, VerifiedToken>();
  let current = new Map<string, VerifiedToken>();
  let currentBytes = 0;
  let currentSince = 0;

  function put(token: string, verified: VerifiedToken, now: number): void {
    const bytes = entryBytes(token, verified);
    if (bytes > maxBytes / 2) return;
    if (currentBytes + bytes > maxBytes / 2 || now >= currentSince + ttlSeconds) {
      previous = current;
      current = new Map();
      currentBytes = 0;
      currentSince = now;
    }
    current.set(token, verified);
    currentBytes += bytes;
  }

  return {
    find(token, now) {
      if (maxBytes === 0) return undefined;
      let verified = current.get(token);
      if (verified === undefined) {
        verified = previous.get(token);
        if (verified === undefined) return undefined;
        put(copyOf(token), verified, now);
      }
      return now >= verified.validFrom && now < verified.validUntil ? verified : undefined;
    },

    remember(token, verified, now) {
      if (maxBytes > 0 && !current.has(token)) put(copyOf(token), verified, now);
    },
  };
}

/** Used within one synchronous call only. */
const scratch = Buffer.alloc(MAX_TOKEN_LENGTH);

/** A token cut out of a Cookie header keeps the whole header in memory: the copy stands alone. */
function copyOf(token: string): string {
  return scratch.toString('latin1', 0, scratch.write(token, 'latin1'));
}

/**
 * The texts of the claims count as two bytes a character: one character beyond Latin-1 makes them
 * so.
 */
function entryBytes(token: string, { claims: { uid, scopes, sessionId = '' } }: VerifiedToken): number {
  let bytes = ENTRY_BYTES + token.length + 2 * (uid.length + sessionId.length);
  for (const scope of scopes) bytes += SCOPE_BYTES + 2 * scope.length;
  return bytes;
}
