import { createHmac } from 'node:crypto';

/** What every contender signs and verifies with. */
export const KEY = 'a-signing-key-for-measurements-50-bytes-in-length';
export const AUDIENCE = '/api/admin';
export const SCOPES = ['admin', 'admin:webhooks'] as const;
export const NOW = Math.floor(Date.now() / 1000);

/** Tokens as bytes, as they come off a socket, each for another user. They live for an hour. */
export function tokenPool(size: number): { fresh(index: number): string } {
  const header = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url');
  const pool = Array.from({ length: size }, (_, index) => {
    const claims = { uid: `${index}`, scopes: SCOPES, iat: NOW, exp: NOW + 3600, aud: AUDIENCE };
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return Buffer.from(`${signed}.${createHmac('sha256', KEY).update(signed).digest('base64url')}`);
  });
  return {
    /**
     * Gives a text that V8 has never seen, hashed or compared: what a server gets with each
     * request.
     */
    fresh: (index) => (pool[index % size] ?? Buffer.alloc(0)).toString('latin1'),
  };
}
