import { expect } from 'vitest';

/** What a middleware of the host sets on every answer: looser than ours, and its own cookie. */
export const OF_THE_HOST = {
  'set-cookie': 'host=1; Path=/',
  'cache-control': 'public, max-age=60',
  'content-security-policy': 'default-src *',
  // Of a body that is not ours: kept, it would make ours unreadable.
  'content-encoding': 'gzip',
  'cdn-cache-control': 'max-age=60',
  'x-host': 'kept',
} as const;

/** What a handler answers with. */
export const OURS: [string, string][] = [
  ['set-cookie', 'a=1; Path=/api'],
  ['set-cookie', 'b=2; Path=/api/auth'],
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'"],
];

/** Checks an answer with {@link OURS} behind a middleware with {@link OF_THE_HOST}. */
export function expectOursToWin({ headers }: Response): void {
  expect(headers.getSetCookie()).toEqual(
    expect.arrayContaining([OF_THE_HOST['set-cookie'], 'a=1; Path=/api', 'b=2; Path=/api/auth']),
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(headers.get('content-encoding')).toBeNull();
  expect(headers.get('cdn-cache-control')).toBeNull();
  expect(headers.get('x-host')).toBe('kept');
}

/** The cookies of an answer, without those of the host's middleware. */
export function cookiesOfOurs({ headers }: Response): string[] {
  return headers.getSetCookie().filter((line) => !line.startsWith('host='));
}
