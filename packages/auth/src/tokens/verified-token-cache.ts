import type { Claims } from '../claims.ts';
import { MAX_TOKEN_LENGTH } from './token-text.ts';

/** A token whose signature, shape and audience are verified. */
export interface VerifiedToken {
  readonly claims: Claims;
  /** The first Unix second in which the token is valid. */
  readonly validFrom: number;
  /** The Unix second in which the token expires, the tolerance included. */
  readonly validUntil: number;
}

/**
 * Caches verified tokens, so that a token seen before costs a lookup instead of a MAC.
 *
 * - The key is the whole token text. Only a text that passed every check becomes a key, so a hit
 *   needs only equality, and invented tokens take up no space.
 * - Every hit checks the times, and the caller checks revocations. A failure is never cached.
 * - The keys and the audience of an instance never change. To remove a key, the host replaces the
 *   instance, and the cache goes with it. Two instances share nothing.
 */
export interface VerifiedTokenCache {
  /** Returns the verified token, or `undefined` if it is not cached or is outside its times. */
  find(token: string, now: number): VerifiedToken | undefined;

  /** Adds a token that has just been verified. */
  remember(token: string, verified: VerifiedToken, now: number): void;
}

export interface VerifiedTokenCacheConfig {
  /** The most bytes that the entries may take up, by a high estimate. 0 turns the cache off. */
  readonly maxBytes: number;
  /** The longest lifetime of a token. */
  readonly ttlSeconds: number;
}

/**
 * The slot of the Map, the objects and the headers of their strings: a high estimate for Node 20 to
 * 24.
 */
const ENTRY_BYTES = 320;
const SCOPE_BYTES = 40;

/**
 * Two generations bound the cache in bytes and in time. When the current generation has taken up
 * half of the bytes, or is as old as a token can get, it becomes the previous one. The generation
 * before it is dropped as a whole. A hit in the previous generation moves the entry to the current
 * one, so eviction never searches.
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

/** Used only within one synchronous call. */
const scratch = Buffer.alloc(MAX_TOKEN_LENGTH);

/** Copies a token. A token cut out of a Cookie header would keep the whole header in memory. */
function copyOf(token: string): string {
  return scratch.toString('latin1', 0, scratch.write(token, 'latin1'));
}

/**
 * Counts two bytes per character of the claims, because one character beyond Latin-1 makes a string
 * that wide.
 */
function entryBytes(token: string, { claims: { uid, scopes, sessionId = '' } }: VerifiedToken): number {
  let bytes = ENTRY_BYTES + token.length + 2 * (uid.length + sessionId.length);
  for (const scope of scopes) bytes += SCOPE_BYTES + 2 * scope.length;
  return bytes;
}
