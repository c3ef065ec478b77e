import { expect } from 'vitest';
import { Browser, sessionHost } from './session-host.ts';

/** The `Set-Cookie` values that take both cookies from a browser. */
export const CLEARED = [
  'access_token=; Max-Age=0; Path=/api/admin; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
  'refresh_token=; Max-Age=0; Path=/api/admin/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
];

/** A host, and a browser in which user 7 is logged in. */
export async function loggedIn(options: Parameters<typeof sessionHost>[0] = {}) {
  const host = sessionHost(options);
  const browser = new Browser(host);
  await browser.logIn('7');
  return { ...host, host, browser };
}

export async function expectProblem(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ type: 'about:blank', status, code });
}

/** Something to wait for, until a test opens it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
