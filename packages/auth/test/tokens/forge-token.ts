import { createHmac } from 'node:crypto';
import { START } from '../fake-clock.ts';

export const KEY = 'a-signing-key-for-tests-40-bytes-long!!';

/** The payload of a token that is right in every respect for the default instance. */
const GOOD_PAYLOAD = {
  uid: '42',
  scopes: ['admin'],
  iat: START,
  exp: START + 300,
  aud: '/api/admin',
} as const;

export interface Forgery {
  /** Merged over the good header, or a text to be used as the header's JSON. */
  readonly header?: object | string;
  /** Merged over the good payload, or a text to be used as the payload's JSON. */
  readonly payload?: object | string;
  readonly key?: string;
  readonly hash?: string;
}

/**
 * Signs what no issuer would: a token with any header and payload, and a signature that fits them.
 */
export function forgeToken({ header = {}, payload = {}, key = KEY, hash = 'sha256' }: Forgery = {}): string {
  const signed = [segment(header, { alg: 'HS256', typ: 'at+jwt' }), segment(payload, GOOD_PAYLOAD)].join('.');
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

function segment(part: object | string, good: object): string {
  const json = typeof part === 'string' ? part : JSON.stringify({ ...good, ...part });
  return Buffer.from(json).toString('base64url');
}
