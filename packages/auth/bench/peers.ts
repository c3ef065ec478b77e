import { createHmac, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { createSigner, createVerifier } from 'fast-jwt';
import { sign as honoSign, verify as honoVerify } from 'hono/jwt';
import { jwtVerify, SignJWT } from 'jose';
import { AUDIENCE, KEY, NOW, SCOPES } from './token-pool.ts';

/** The part of jsonwebtoken, which has no types of its own, that is measured. */
interface JsonWebToken {
  verify(token: string, key: string, options: { algorithms: string[]; audience: string }): unknown;
  sign(claims: object, key: string, options: { algorithm: string; header: object }): string;
}

const jsonwebtoken: JsonWebToken = createRequire(import.meta.url)('jsonwebtoken');
const secret = await crypto.subtle.importKey(
  'raw',
  Buffer.from(KEY),
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['sign', 'verify'],
);
const fastJwt = { key: Buffer.from(KEY), algorithms: ['HS256' as const], allowedAud: AUDIENCE };

/** Each peer verifies algorithm, signature, times and audience, as it is documented to be used. */
export const peers = {
  fastJwt: () => createVerifier({ ...fastJwt, cache: false }),
  fastJwtCached: (entries: number) => createVerifier({ ...fastJwt, cache: entries }),
  jose: (token: string) => jwtVerify(token, secret, { algorithms: ['HS256'], audience: AUDIENCE }),
  jsonwebtoken: (token: string) =>
    jsonwebtoken.verify(token, KEY, { algorithms: ['HS256'], audience: AUDIENCE }),
  hono: (token: string) => honoVerify(token, secret, { alg: 'HS256', typ: 'at+jwt', aud: AUDIENCE }),
  /** No peer: one HMAC, one comparison, one JSON.parse, and not a single check. */
  bare(token: string): unknown {
    const end = token.lastIndexOf('.');
    const mac = createHmac('sha256', KEY).update(token.slice(0, end)).digest();
    if (!timingSafeEqual(mac, Buffer.from(token.slice(end + 1), 'base64url'))) throw new Error('signature');
    return JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString());
  },
} as const;

const header = { alg: 'HS256', typ: 'at+jwt' } as const;
const claims = (uid: string) => ({ uid, scopes: [...SCOPES], iat: NOW, exp: NOW + 300, aud: AUDIENCE });
const fastJwtSigner = createSigner({ key: KEY, algorithm: 'HS256', header });

export const issuers = {
  fastJwt: (uid: string) => fastJwtSigner(claims(uid)),
  jose: (uid: string) => new SignJWT(claims(uid)).setProtectedHeader(header).sign(secret),
  jsonwebtoken: (uid: string) => jsonwebtoken.sign(claims(uid), KEY, { algorithm: 'HS256', header }),
  hono: (uid: string) => honoSign(claims(uid), secret, 'HS256'),
} as const;
