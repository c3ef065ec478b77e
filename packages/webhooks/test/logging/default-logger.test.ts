import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdminApi } from '../../src/admin/index.ts';
import { createWebhooks, memoryStorage } from '../../src/index.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers().restoreAllMocks());

/** A storage whose database is gone. */
function deadStorage(): WebhookStorage {
  const fail = () => Promise.reject(new Error('connect ECONNREFUSED'));
  return { ...memoryStorage(), recordDispatches: fail, listWebhooks: fail };
}

/** The lines that the console gets, as the fields and the message that a host would look for. */
function consoleLines(): unknown[] {
  const lines: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((fields: object, message: string) => {
    const { code, source, failures } = { code: undefined, source: undefined, failures: 0, ...fields };
    lines.push([message, source, code, failures]);
  });
  return lines;
}

it('tells the console of dispatches that nobody waits for, once a minute for each kind', async () => {
  const lines = consoleLines();
  const webhooks = createWebhooks({ storage: deadStorage() });
  const fail = async () => {
    void webhooks.dispatch('order.created', {});
    void webhooks.dispatch('misspelt', {});
    await webhooks.dispatch('order.created', {}).catch(() => {});
  };
  await fail();
  expect(lines.splice(0)).toEqual([
    ['webhook engine error', 'dispatch', 'invalid_event', 1],
    ['webhook engine error', 'dispatch', 'storage_unavailable', 1],
  ]);
  await fail();
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(lines.splice(0).sort()).toEqual([
    ['webhook engine error', 'dispatch', 'invalid_event', 1],
    ['webhook engine error', 'dispatch', 'storage_unavailable', 3],
  ]);
  await webhooks.close();
});

it('adds up what an outage of the queue reports together', async () => {
  const lines = consoleLines();
  const enqueue = () => Promise.reject(new Error('away'));
  const queue = { enqueue, start: async () => {}, stop: async () => {} };
  const webhooks = createWebhooks({ storage: memoryStorage(), queue });
  await webhooks.create({ url: 'https://a.example/' });
  for (let sent = 0; sent < 5; sent += 1) await webhooks.dispatch('order.created', {});
  vi.advanceTimersByTime(MINUTE_MS);
  expect(lines).toEqual([
    ['webhook engine error', 'enqueue', 'queue_unavailable', 1],
    ['webhook engine error', 'enqueue', 'queue_unavailable', 4],
  ]);
  await webhooks.close();
});

it('tells the console of requests to the admin API that failed', async () => {
  const lines = consoleLines();
  const webhooks = createWebhooks({ storage: deadStorage(), onError: () => {} });
  const api = createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) });
  for (let asked = 0; asked < 3; asked += 1) {
    expect((await api(new Request('http://localhost/api/admin/webhooks'))).status).toBe(503);
  }
  expect(lines).toEqual([['admin API request failed', undefined, 'storage_unavailable', 1]]);
  await webhooks.close();
});

it('leaves the console alone where the host takes errors by itself', async () => {
  const lines = consoleLines();
  const errors: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  for (const heard of [{ logger }, { onError: ({ code }: { code: string }) => errors.push(code) }]) {
    const webhooks = createWebhooks({ storage: deadStorage(), ...heard });
    await webhooks.dispatch('order.created', {}).catch(() => {});
    await webhooks.close();
  }
  expect([lines, errors]).toEqual([[], ['storage_unavailable']]);
});
