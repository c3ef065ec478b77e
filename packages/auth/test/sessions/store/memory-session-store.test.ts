import { expect, test } from 'vitest';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { EXAMPLE_SESSION } from '../../kysely/example-session.ts';

const OWNER = { uid: '42', instance: '/api' };

async function withSession() {
  const store = memorySessionStore();
  await store.create(EXAMPLE_SESSION);
  return store;
}

test('keeps each store to itself', async () => {
  const token = { tokenHash: EXAMPLE_SESSION.tokenHash, instance: '/api', now: 2_000 };
  expect(await (await withSession()).findByToken(token)).toBeDefined();
  expect(await memorySessionStore().findByToken(token)).toBeUndefined();
});

test('takes part in no transaction, and revokes nothing in one', async () => {
  const store = await withSession();
  const transaction = { isTransaction: true as const };
  await expect(store.revokeAll({ ...OWNER, now: 2_000, reason: 'revoked_all', transaction })).rejects.toThrow(
    new TypeError('memorySessionStore takes part in no transaction'),
  );
  expect(await store.list({ ...OWNER, now: 2_000, limit: 10 })).toHaveLength(1);
});

test('is frozen, and so are the sessions that it returns', async () => {
  const store = await withSession();
  const token = { tokenHash: EXAMPLE_SESSION.tokenHash, instance: '/api', now: 2_000 };
  const client = { since: 2_000, ip: '192.0.2.1', userAgent: '' };
  const recordClients = (refreshedFrom: object[]) =>
    store.recordClients({
      sessionId: EXAMPLE_SESSION.id,
      instance: '/api',
      now: 2_000,
      expected: [],
      refreshedFrom: refreshedFrom as never,
    });
  const stored = async () => (await store.findByToken(token))?.session;
  expect([store, await stored()].every(Object.isFrozen)).toBe(true);
  const given = [client];
  expect(await recordClients(given)).toBe(true);
  given.push(client);
  expect((await stored())?.refreshedFrom).toEqual([client]);
  expect([await stored(), (await stored())?.refreshedFrom].every(Object.isFrozen)).toBe(true);
});

test('acts in the order of the calls, none of which waits for another', async () => {
  const store = memorySessionStore();
  const revocation = { ...OWNER, now: 2_000, reason: 'revoked_all' } as const;
  const [, ids, listed] = await Promise.all([
    store.create(EXAMPLE_SESSION),
    store.revokeAll(revocation),
    store.list({ ...OWNER, now: 2_000, limit: 10 }),
  ]);
  expect([ids, listed]).toEqual([[EXAMPLE_SESSION.id], []]);
});
