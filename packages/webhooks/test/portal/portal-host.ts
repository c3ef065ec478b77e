import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { answersFor } from '../../../toolkit/src/node-web/base-path.ts';
import { serveNodeRequest } from '../../../toolkit/src/node-web/node-exchange.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { createPortal } from '../../src/portal/portal.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { openGuarded } from '../panel/guarded-page.ts';

/** An application with the portal of its customers, on a free loopback port. */
export interface PortalHost {
  readonly origin: string;
  /** The first page. */
  readonly url: string;
  readonly webhooks: Webhooks;
  /** What the API was asked, `METHOD path?query`, in order. */
  readonly requests: readonly string[];
}

/** The users by their names, which are their cookies. */
const USERS = {
  ada: { uid: 'ada', tenant: 'acme', scopes: ['webhooks'] },
  reader: { uid: 'reader', tenant: 'acme', scopes: ['webhooks:read'] },
  grace: { uid: 'grace', tenant: 'globex', scopes: ['webhooks'] },
} as const;

export type PortalUser = keyof typeof USERS;

const EVENTS = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant', example: { id: 7, total: 120 } },
  'order.refunded': { label: 'Order refunded', audience: 'tenant' },
  'stock.low': { label: 'Stock is low' },
});

const API = '/api/webhooks';
const LOOPBACK = ['127.0.0.1/32'];

/** Ends with the test. */
export async function startPortalHost(
  options: Partial<Parameters<typeof createPortal>[0]> = {},
): Promise<PortalHost> {
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    events: EVENTS,
    tenants: 'required',
    egress: { allowedAddresses: LOOPBACK, dangerouslyAllowedTenantAddresses: LOOPBACK },
    retry: { delaysMs: [10], maxAttempts: 2 },
    logger: { debug() {}, info() {}, warn() {}, error: console.error },
  });
  await webhooks.start();
  const api = createPortalApi(webhooks, {
    authorize: ({ headers }) => {
      const name = /\buser=(\w+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '';
      return Object.hasOwn(USERS, name) ? USERS[name as PortalUser] : null;
    },
  });
  const portal = createPortal({ apiPath: API, ...options });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (answersFor(API, path)) requests.push(`${request.method} ${request.url}`);
    const handler = answersFor(portal.basePath, path) ? portal : api;
    serveNodeRequest(request, response, (signal) => handler(toWebRequest(request, { signal }))).catch(() =>
      response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await webhooks.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, url: origin + portal.basePath, webhooks, requests };
}

/** Opens a page as a user. */
export function openAs(user: PortalUser, url: string, options: BrowserContextOptions = {}) {
  return openGuarded(url, { storageState: signedIn(user, url), ...options });
}

/** What a browser holds in which a user is logged in. */
export function signedIn(user: PortalUser, url: string) {
  return { cookies: [cookieOf(user, url)], origins: [] };
}

/** Another user logs in, in the same browser. */
export async function logInAs(page: Page, user: PortalUser): Promise<void> {
  await page.context().addCookies([cookieOf(user, page.url())]);
}

function cookieOf(user: PortalUser, url: string) {
  const { hostname } = new URL(url);
  const cookie = { name: 'user', value: user, domain: hostname, path: '/', expires: -1 };
  return { ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' as const };
}
