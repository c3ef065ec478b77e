import type { KeyedHash } from '../tokens/keyed-hash.ts';
import type { SuccessorTokens } from '../tokens/successor-tokens.ts';
import type { AuthRequest } from './auth-request.ts';
import type { Refusals } from './refusals.ts';

/** What sessions and guards need of an instance, and the public interface `Auth` leaves out. */
export interface AuthParts {
  /** Tells of refused tokens. */
  readonly refusals: Refusals;
  /**
   * Refuses the request of a page of another site. Headers other than cookies make no exception.
   *
   * @throws AuthError `cross_site`
   */
  refuseCrossSite(request: AuthRequest): void;
  /** Derives the refresh tokens that a rotation gives out. */
  readonly successorTokens: SuccessorTokens;
  /** Hashes texts with a secret that is derived from the signing keys under a label. */
  keyedHash(label: string): KeyedHash;
}

/** A registered symbol, so that the ESM and CommonJS builds know each other's instances. */
const PARTS: unique symbol = Symbol.for('@acme/auth/parts');

/** The same instance with its parts, which a copy by spread keeps. */
export function withParts<A extends object>(auth: A, parts: AuthParts): A {
  return { ...auth, [PARTS]: parts };
}

/** The parts of an instance; undefined if `createAuth` did not make it. */
export function partsOf(auth: object | undefined): AuthParts | undefined {
  const { [PARTS]: parts }: { readonly [PARTS]?: AuthParts } = auth ?? {};
  return parts;
}

/** @throws TypeError if `createAuth` did not make the instance */
export function requireParts(auth: object | undefined): AuthParts {
  const parts = partsOf(auth);
  if (parts === undefined) throw new TypeError('auth must be an instance that createAuth made');
  return parts;
}
