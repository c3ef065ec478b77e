import assert from 'node:assert/strict';
import type { RefreshClient } from '../../src/sessions/session.ts';
import type { ClientRecord } from '../../src/sessions/store/session-store.ts';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import { INSTANCE, LIFETIME, type SessionHarness, type SessionHarnessCases } from './session-harness.ts';

/** Where sessions are refreshed from. */
export const clientCases: SessionHarnessCases = {
  async 'keeps the clients of a session as they were recorded, for it and its tokens alone'(harness) {
    const { id, token, successor } = await harness.createRotated();
    const other = await harness.create();
    const clients = longest(harness);
    assert.equal(await record(harness, { sessionId: id, refreshedFrom: clients }), true);
    for (const text of [token, successor]) {
      assert.deepEqual((await harness.find(text))?.session.refreshedFrom, clients);
    }
    const outcome = await harness.use(successor);
    assert.deepEqual(outcome.outcome === 'current' && outcome.session.refreshedFrom, clients);
    const listed = await harness.list();
    assert.deepEqual(listed.find((session) => session.id === id)?.refreshedFrom, clients);
    assert.deepEqual(listed.find((session) => session.id === other.id)?.refreshedFrom, []);
    assert.deepEqual((await harness.revoke(id))?.refreshedFrom, clients);
  },
  async 'replaces the clients of a session only where it still is the expected one that is replaced'(
    harness,
  ) {
    const { id: sessionId, token } = await harness.create();
    const [first, second] = [[clientAt(harness.now)], [clientAt(harness.now + 60), clientAt(harness.now)]];
    assert.equal(await record(harness, { sessionId, refreshedFrom: first }), true);
    for (const expected of [[], second, [{ ...clientAt(harness.now), userAgent: 'mozilla/5.0' }]]) {
      assert.equal(await record(harness, { sessionId, expected, refreshedFrom: second }), false);
    }
    assert.deepEqual((await harness.find(token))?.session.refreshedFrom, first);
    assert.equal(await record(harness, { sessionId, expected: first, refreshedFrom: second }), true);
    assert.deepEqual((await harness.find(token))?.session.refreshedFrom, second);
  },
  async 'lets one of several records at once win'(harness) {
    const { id: sessionId, token } = await harness.create();
    const lists = Array.from({ length: RACERS }, (_, n) => [clientAt(harness.now + n)]);
    const results = await Promise.all(
      lists.map((refreshedFrom, n) => record(harness, { sessionId, refreshedFrom }, n)),
    );
    const winners = lists.filter((_, n) => results[n]);
    assert.equal(winners.length, 1);
    assert.deepEqual((await harness.find(token))?.session.refreshedFrom, winners[0]);
  },
  async 'records no clients of a session that is not live, or of another instance'(harness) {
    const { id: sessionId, token } = await harness.create();
    const nextId = randomHex(16);
    harness.now += 900;
    await harness.use(token, { nextId });
    const refreshedFrom = [clientAt(harness.now)];
    for (const wrong of [
      { sessionId: randomHex(16) },
      { sessionId: nextId },
      { sessionId, instance: '/api' },
      { sessionId, now: harness.now + LIFETIME },
    ]) {
      assert.equal(await record(harness, { ...wrong, refreshedFrom }), false);
    }
    assert.deepEqual((await harness.find(token))?.session.refreshedFrom, []);
    await harness.revoke(sessionId);
    assert.equal(await record(harness, { sessionId, refreshedFrom }), false);
  },
};

type Fields = Partial<ClientRecord> & Pick<ClientRecord, 'sessionId' | 'refreshedFrom'>;

function record(harness: SessionHarness, fields: Fields, caller = 0): Promise<boolean> {
  const defaults = { instance: INSTANCE, now: harness.now, expected: [] };
  return harness.storeOf(caller).recordClients({ ...defaults, ...fields });
}

function clientAt(since: number): RefreshClient {
  return { since, ip: '192.0.2.1', userAgent: 'Mozilla/5.0' };
}

/** As long as they may be, of what takes most room in JSON and in a database. */
function longest({ now }: SessionHarness): readonly RefreshClient[] {
  return ['"', '\\', 'ü', '世', '\u2028'].map((character, n) => ({
    since: now - n,
    ip: character.repeat(64),
    userAgent: character.repeat(256),
  }));
}
