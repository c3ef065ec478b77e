import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import {
  INSTANCE,
  type Issued,
  LIFETIME,
  type SessionHarness,
  type SessionHarnessCases,
} from './session-harness.ts';

/** Listing and ending sessions on behalf of a session of the same user. */
export const askedByCases: SessionHarnessCases = {
  async 'ends what is not newer than the session that asks'(harness) {
    const [older, asking, alike, newer] = await fourSessions(harness);
    assert.equal(await end(harness, newer.id, asking.id), 'newer');
    await harness.expectOutcome(newer.token, 'current');
    for (const { id } of [older, alike, asking]) {
      const ended = await end(harness, id, asking.id);
      assert.equal(typeof ended === 'object' && ended.id, id);
    }
    assert.deepEqual(await harness.listIds(), [newer.id]);
  },
  async 'ends nothing for a session that is over, of another user or unknown'(harness) {
    const { id, token } = await harness.create();
    for (const askedBy of await uselessAskers(harness)) {
      assert.equal(await end(harness, id, askedBy), 'not_live');
      assert.equal(await endAll(harness, askedBy), 'not_live');
      assert.deepEqual(await list(harness, askedBy), []);
    }
    await harness.expectOutcome(token, 'current');
    assert.deepEqual(await list(harness, id), [id]);
  },
  async 'finds no session of another user for a session that asks'(harness) {
    const { id } = await harness.create();
    const foreign = await harness.create({ uid: '43' });
    const elsewhere = await harness.create({ instance: '/api' });
    for (const target of [foreign.id, elsewhere.id, randomHex(16), '']) {
      assert.equal(await end(harness, target, id), undefined);
    }
    await harness.expectOutcome(foreign.token, 'current');
  },
  async 'ends all sessions but the one that asks, or none if one of them is newer'(harness) {
    const [older, asking, alike, newer] = await fourSessions(harness);
    const foreign = await harness.create({ uid: '43' });
    assert.equal(await endAll(harness, asking.id), 'newer');
    assert.equal((await harness.listIds()).length, 4);
    await harness.revoke(newer.id);
    const ended = await endAll(harness, asking.id);
    assert.deepEqual([...ended].sort(), [older.id, alike.id].sort());
    assert.deepEqual(await harness.listIds(), [asking.id]);
    assert.deepEqual(await endAll(harness, asking.id), []);
    await harness.expectOutcome(foreign.token, 'current');
  },
  async 'lists page by page for a live session, which need not be on the page'(harness) {
    const [older, asking] = await fourSessions(harness);
    // Behind every session of the second in which the asking one began.
    const after = { createdAt: harness.now - 1, id: '' };
    assert.deepEqual(await list(harness, asking.id, after), [older.id]);
    await harness.revoke(asking.id);
    assert.deepEqual(await list(harness, asking.id, after), []);
    assert.equal((await list(harness, older.id)).length, 3);
  },
};

/** A session, two of the next second, of which the first asks, and one of the second after. */
async function fourSessions(harness: SessionHarness): Promise<[Issued, Issued, Issued, Issued]> {
  const older = await harness.create();
  harness.now += 1;
  const [asking, alike] = [await harness.create(), await harness.create()];
  harness.now += 1;
  return [older, asking, alike, await harness.create()];
}

/** Ids of sessions on whose behalf nothing is done. */
async function uselessAskers(harness: SessionHarness): Promise<string[]> {
  const revoked = await harness.create();
  await harness.revoke(revoked.id);
  const expired = await harness.create({ createdAt: harness.now - LIFETIME, expiresAt: harness.now });
  const foreign = await harness.create({ uid: '43' });
  const elsewhere = await harness.create({ instance: '/api' });
  return [revoked.id, expired.id, foreign.id, elsewhere.id, randomHex(16)];
}

function end({ store, now }: SessionHarness, sessionId: string, askedBy: string) {
  return store.revoke({ sessionId, instance: INSTANCE, uid: '42', askedBy, now, reason: 'revoked' });
}

function endAll({ store, now }: SessionHarness, askedBy: string) {
  return store.revokeAll({ uid: '42', instance: INSTANCE, askedBy, now, reason: 'revoked_all' });
}

async function list(
  { store, now }: SessionHarness,
  askedBy: string,
  after?: { readonly createdAt: number; readonly id: string },
): Promise<string[]> {
  const sessions = await store.list({ uid: '42', instance: INSTANCE, now, askedBy, after, limit: 100 });
  return sessions.map(({ id }) => id);
}
