import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import { answersFor } from '../../../toolkit/src/node-web/base-path.ts';
import { serveNodeRequest } from '../../../toolkit/src/node-web/node-exchange.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { AdminApiOptions } from '../../src/admin/admin-options.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import type { AdminPanelOptions } from '../../src/panel/panel-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import type { WebhooksOptions } from '../../src/webhooks-options.ts';

/** An application with the admin API, the panel and a log-in, on a free loopback port. */
export interface PanelHost {
  readonly origin: string;
  /** The list page. */
  readonly url: string;
  readonly webhooks: Webhooks;
  /**
   * What the API was asked, `METHOD path`, in order; and the same of the status endpoint and the
   * log-in page.
   */
  readonly requests: readonly string[];
  /**
   * Who is logged in, as the API sees it: nobody when `expired`; the status endpoint can make it
   * `valid`.
   */
  session: 'valid' | 'expired' | 'unscoped';
  /** Whether the status endpoint renews an expired session. */
  isRenewable: boolean;
  /**
   * Ends the session for good once a request that fits arrives, `METHOD path`: until then a poll of
   * the page finds it valid, however long a busy machine takes.
   */
  endSessionWith(request: string): void;
  /** Answers the next request that fits with a problem, in the API's place. */
  failNext(request: string, status: number, code: string, headers?: Record<string, string>): void;
  /** Answers the next request that fits with a body that never ends; a 2xx logs in. */
  stallNext(request: string, status: number): void;
  /** Dispatches an event, and waits until its deliveries have ended or wait for a retry. */
  deliver(...dispatch: Parameters<Webhooks['dispatch']>): Promise<void>;
  close(): Promise<void>;
}

export interface PanelHostOptions extends Partial<Omit<AdminPanelOptions, 'apiPath'>> {
  readonly events?: WebhooksOptions['events'];
  readonly disableOnGone?: boolean;
  /** One that is registered already. */
  readonly webhook?: Parameters<Webhooks['create']>[0];
  /** Default: an empty one in memory. */
  readonly storage?: WebhookStorage;
  /** Options of the API. */
  readonly api?: Pick<AdminApiOptions, 'describeActors' | 'readOnly'>;
  /** Milliseconds before a second attempt. Default 10: one retry, at once. */
  readonly delaysMs?: readonly number[];
}

const API = '/api/admin/webhooks';
/** Nobody listens there. */
export const DEAD = 'http://127.0.0.1:9/hook';
/** What the log-in endpoint accepts. */
export const LOGIN = { login: 'ada', password: 'the password of ada' };
export const LOGIN_ENDPOINT = '/api/admin/auth/login';
export const LOGOUT_URL = '/api/admin/auth/logout';
export const LOGO_URL = '/images/logo.svg';
/** One that would run a script if it were more than an image. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="56" height="56" onload="top.trap('logo')">
<script>top.trap('logo')</script><circle cx="28" cy="28" r="28" fill="#0b6e4f"/></svg>`;

/** Serves until the test has finished. */
export async function servePanel(options: PanelHostOptions = {}): Promise<PanelHost> {
  const host = await startPanelHost(options);
  onTestFinished(() => host.close());
  return host;
}

export async function startPanelHost(options: PanelHostOptions = {}): Promise<PanelHost> {
  const {
    events,
    disableOnGone = false,
    api: apiOptions,
    delaysMs = [10],
    storage,
    webhook,
    ...panelOptions
  } = options;
  const webhooks = createWebhooks({
    storage: storage ?? memoryStorage(),
    // Port 9 is the one that nobody listens on, which these tests register.
    egress: { allowedAddresses: ['127.0.0.1/32'], allowedPorts: [9], timeoutMs: 60_000 },
    retry: { delaysMs, maxAttempts: delaysMs.length + 1 },
    disableOnGone,
    ...(events === undefined ? {} : { events }),
  });
  await webhooks.start();
  if (webhook !== undefined) await webhooks.create(webhook);
  const requests: string[] = [];
  const stalls = new Map<string, number>();
  const lastOfSession = new Set<string>();
  const failures: { request: string; status: number; code: string; headers: Record<string, string> }[] = [];
  const host = { session: 'valid', isRenewable: true } as Pick<PanelHost, 'session' | 'isRenewable'>;

  const api = createAdminApi(webhooks, {
    ...apiOptions,
    authorize: () => {
      if (host.session === 'expired') return null;
      return { uid: '7', scopes: host.session === 'valid' ? ['admin:webhooks'] : ['admin'] };
    },
  });
  const panel = createAdminPanel({
    apiPath: API,
    statusUrl: '/api/admin/auth/status',
    ...(panelOptions.loginEndpoint === undefined && { loginUrl: '/admin/login' }),
    ...panelOptions,
  });

  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const path = url.split('?', 1)[0] ?? '';
    if (!answersFor(panel.basePath, path) && path !== '/favicon.ico') requests.push(`${method} ${path}`);
    const failure = failures.findIndex((one) => one.request === `${method} ${path}`);
    const failed = failure === -1 ? undefined : failures.splice(failure, 1)[0];
    const stalled = stalls.get(`${method} ${path}`);
    stalls.delete(`${method} ${path}`);
    if (lastOfSession.delete(`${method} ${path}`)) {
      Object.assign(host, { session: 'expired', isRenewable: false });
    }
    if (stalled !== undefined) {
      if (stalled < 300) host.session = 'valid';
      response.writeHead(stalled, { 'content-type': 'application/problem+json' });
      response.write('{"code": ');
    } else if (failed !== undefined) {
      const problem = { type: 'about:blank', title: 'Refused', status: failed.status, code: failed.code };
      response.writeHead(failed.status, { ...failed.headers, 'content-type': 'application/problem+json' });
      response.end(JSON.stringify(problem));
    } else if (path === '/api/admin/auth/status') {
      if (host.session === 'expired' && host.isRenewable) host.session = 'valid';
      response.writeHead(host.session === 'expired' ? 401 : 200).end();
    } else if (path === LOGOUT_URL && method === 'POST') {
      // A session that was ended is renewed by no poll.
      Object.assign(host, { session: 'expired', isRenewable: false });
      response.writeHead(204).end();
    } else if (path === LOGO_URL) {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(LOGO);
    } else if (path === LOGIN_ENDPOINT) {
      void json(request).then((sent) => {
        if (isDeepStrictEqual(sent, LOGIN)) host.session = 'valid';
        response.writeHead(host.session === 'valid' ? 200 : 401).end();
      });
    } else if (path === '/admin/login') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><html lang="en"><title>Log in</title><h1>Log in</h1></html>');
    } else {
      const handler = answersFor(panel.basePath, path) ? panel : api;
      serveNodeRequest(request, response, (signal) => handler(toWebRequest(request, { signal }))).catch(() =>
        response.destroy(),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return Object.assign(host, {
    origin,
    url: origin + panel.basePath,
    webhooks,
    requests,
    endSessionWith: (request: string) => {
      lastOfSession.add(request);
    },
    failNext: (request: string, status: number, code: string, headers = {}) => {
      failures.push({ request, status, code, headers });
    },
    stallNext: (request: string, status: number) => {
      stalls.set(request, status);
    },
    deliver: async (...dispatch: Parameters<Webhooks['dispatch']>) => {
      await webhooks.dispatch(...dispatch);
      await webhooks.drain();
    },
    close: async () => {
      await closeServer(server);
      await webhooks.close();
    },
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
