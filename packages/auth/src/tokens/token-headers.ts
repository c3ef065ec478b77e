import { ALGORITHM, TOKEN_TYPE } from './access-token-header.ts';
import type { KeyRing, RingKey } from './key-ring.ts';

/** The header of the tokens that one key signs, as the first segment of a token. */
export function ownHeader(kid: string | undefined): string {
  const header = { alg: ALGORITHM, typ: TOKEN_TYPE, ...(kid === undefined ? {} : { kid }) };
  return Buffer.from(JSON.stringify(header), 'utf8').toString('base64url');
}

/** A header text whose meaning is known without reading it, and the keys it stands for. */
export interface OwnHeader {
  /** The first segment of a token with its dot. */
  readonly prefix: string;
  readonly keys: readonly RingKey[];
}

/**
 * Gives the headers that this ring signs with, and that of a ring with a single key, which has no
 * `kid`: a host that has just gone over to rotation still sees its tokens. At most one more than
 * there are keys.
 */
export function ownHeaders(keyRing: KeyRing): readonly OwnHeader[] {
  const kids = new Set([...keyRing.verificationKeys(undefined).map((key) => key.kid), undefined]);
  return [...kids].map((kid) => ({ prefix: `${ownHeader(kid)}.`, keys: keyRing.verificationKeys(kid) }));
}

/** Gives the header that a canonical token begins with, if it is one of ours. */
export function findOwnHeader(headers: readonly OwnHeader[], token: string): OwnHeader | undefined {
  for (const header of headers) if (token.startsWith(header.prefix)) return header;
  return undefined;
}
