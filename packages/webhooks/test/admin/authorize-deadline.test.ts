import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { AdminActor, Authorize } from '../../src/admin/authorize.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, engineOn, HOOK_URL } from './admin-harness.ts';

const SECONDS = 1_000;
const handlers = {
  'the admin API': {
    url: 'http://admin.example.com/api/admin/webhooks',
    create: (authorize: Authorize, logger: typeof silent) =>
      createAdminApi(engineOn(memoryStorage()), { authorize, logger }),
  },
  'the panel': {
    url: 'http://admin.example.com/admin/webhooks',
    create: (authorize: Authorize) => createAdminPanel({ apiPath: '/api/admin/webhooks', authorize }),
  },
};
const silent = { debug() {}, info() {}, warn() {}, error: (_fields: object, _message: string) => {} };

describe.each(Object.entries(handlers))('authorize of %s', (_, { url, create }) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
    vi.useRealTimers();
    unhandled.length = 0;
  });

  it('that never answers is 503 after ten seconds, and not before', async () => {
    const handler = create(() => new Promise<never>(() => {}), silent);
    let response: Response | undefined;
    void handler(new Request(url)).then((answer) => {
      response = answer;
    });
    await vi.advanceTimersByTimeAsync(10 * SECONDS - 1);
    expect(response).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, '5']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (settle: PromiseWithResolvers<AdminActor | null>) => void]>([
    ['an administrator', ({ resolve }) => resolve(ADMIN)],
    ['a rejection', ({ reject }) => reject(new Error('late'))],
  ])('whose answer is %s, and late, changes nothing any more', async (_name, settle) => {
    const answer = withResolvers<AdminActor | null>();
    const handler = create(() => answer.promise, silent);
    const responding = handler(new Request(url));
    await vi.advanceTimersByTimeAsync(10 * SECONDS);
    expect((await responding).status).toBe(503);
    settle(answer);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });

  it('that answers in time leaves no timer behind, whatever it answers', async () => {
    for (const authorize of [async () => ADMIN, () => null, () => Promise.reject(new Error('db down'))]) {
      await create(authorize, silent)(new Request(url));
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

it('a change is not made for an administrator who is known too late, and the log says why', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const answer = withResolvers<AdminActor>();
    const logged: object[] = [];
    const webhooks = engineOn(memoryStorage());
    const logger = { ...silent, error: (fields: object) => void logged.push(fields) };
    const api = createAdminApi(webhooks, { authorize: () => answer.promise, logger });
    const body = JSON.stringify({ url: HOOK_URL });
    const headers = { 'content-type': 'application/json' };
    const responding = api(
      new Request('http://admin.example.com/api/admin/webhooks', { method: 'POST', headers, body }),
    );
    await vi.advanceTimersByTimeAsync(10 * SECONDS);
    const response = await responding;
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'authorization_unavailable' }),
    ]);
    answer.resolve(ADMIN);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await webhooks.list()).total).toBe(0);
    expect(logged).toMatchObject([
      {
        code: 'authorization_unavailable',
        error: { message: 'authorize has not answered within 10000 ms' },
      },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(reason: unknown): void;
}

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolvers: Omit<PromiseWithResolvers<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    resolvers = { resolve, reject };
  });
  if (resolvers === undefined) throw new Error('a promise runs its executor at once');
  return { promise, ...resolvers };
}
