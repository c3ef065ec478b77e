import { type AdminApi, createAdminApi } from '../../src/admin/admin-api.ts';
import type { AdminApiOptions } from '../../src/admin/admin-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { checkAgainstDocument } from './open-api/document-check.ts';

export const BASE = '/api/admin/webhooks';
export const HOOK_URL = 'https://hooks.example.com/in';
export const ADMIN = { uid: '42', scopes: ['admin:webhooks'] };

/** Reads who makes a request from the header `x-actor`, JSON; nobody without it. */
export function actorFromHeader(request: Request) {
  const text = request.headers.get('x-actor');
  return text === null ? null : JSON.parse(text);
}

/** An answer with its body already read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON and fail where it differs.
  readonly json: any;
}

export interface CallOptions {
  readonly body?: unknown;
  /** The body's exact bytes, and nothing assumed about its type. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: nobody. Default: an administrator. */
  readonly actor?: unknown;
}

/**
 * The admin API over the real engine on memory; the engine is not started, so nothing is ever sent.
 */
export function startAdmin(
  options: Partial<AdminApiOptions> & { storage?: WebhookStorage; webhooks?: Webhooks } = {},
) {
  const { storage = memoryStorage(), webhooks = engineOn(storage), ...apiOptions } = options;
  const api = createAdminApi(webhooks, { authorize: actorFromHeader, ...apiOptions });
  return { webhooks, api, call: caller(api) };
}

/** Every name resolves to a public address, without a resolver. */
export function engineOn(storage: WebhookStorage): Webhooks {
  return createWebhooks({
    storage,
    egress: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  });
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/**
 * Calls the handler directly; `path` is below the base unless it begins with `!`. Every answer is
 * compared with the OpenAPI document. Default: as the admin API is called.
 */
export function caller(
  api: AdminApi | ((request: Request) => Promise<Response>),
  { base = BASE, actor = ADMIN as unknown, check = checkAgainstDocument } = {},
): Call {
  return async (method, path, options = {}) => {
    const target = path.startsWith('!') ? path.slice(1) : base + path;
    const request = new Request(
      `http://admin.example.com${target}`,
      requestInit(method, { actor, ...options }),
    );
    const { pathname } = new URL(request.url);
    const response = await api(request);
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, json: parsed(text) };
    const basePath = 'basePath' in api ? api.basePath : undefined;
    check({ method: request.method, pathname, basePath }, answer);
    return answer;
  };
}

export function requestInit(method: string, { body, raw, headers, actor = ADMIN }: CallOptions): RequestInit {
  return {
    method,
    headers: {
      ...(actor === null ? {} : { 'x-actor': JSON.stringify(actor) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw, duplex: 'half' }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
