import assert from 'node:assert/strict';
import type { ClientRecord, RefreshClient } from '../../sessions/session-store.ts';
import {
  INSTANCE,
  LIFETIME,
  RACERS,
  randomHex,
  type SessionStage,
  type SessionStageCase,
} from './session-stage.ts';

/** Where sessions are refreshed from. */
export const clientCases: readonly SessionStageCase[] = [
  {
    name: 'keeps the clients of a session as they were recorded, for it and its tokens alone',
    async run(stage) {
      const { id, token, successor } = await stage.createRotated();
      const other = await stage.create();
      const clients = longest(stage);
      assert.equal(await record(stage, { sessionId: id, refreshedFrom: clients }), true);
      for (const text of [token, successor]) {
        assert.deepEqual((await stage.find(text))?.session.refreshedFrom, clients);
      }
      const outcome = await stage.use(successor);
      assert.deepEqual(outcome.outcome === 'current' && outcome.session.refreshedFrom, clients);
      const listed = await stage.list();
      assert.deepEqual(listed.find((session) => session.id === id)?.refreshedFrom, clients);
      assert.deepEqual(listed.find((session) => session.id === other.id)?.refreshedFrom, []);
      assert.deepEqual((await stage.revoke(id))?.refreshedFrom, clients);
    },
  },
  {
    name: 'replaces the clients of a session only where it still is the expected one that is replaced',
    async run(stage) {
      const { id: sessionId, token } = await stage.create();
      const [first, second] = [[clientAt(stage.now)], [clientAt(stage.now + 60), clientAt(stage.now)]];
      assert.equal(await record(stage, { sessionId, refreshedFrom: first }), true);
      for (const expected of [[], second, [{ ...clientAt(stage.now), userAgent: 'mozilla/5.0' }]]) {
        assert.equal(await record(stage, { sessionId, expected, refreshedFrom: second }), false);
      }
      assert.deepEqual((await stage.find(token))?.session.refreshedFrom, first);
      assert.equal(await record(stage, { sessionId, expected: first, refreshedFrom: second }), true);
      assert.deepEqual((await stage.find(token))?.session.refreshedFrom, second);
    },
  },
  {
    name: 'lets one of several records at once win',
    async run(stage) {
      const { id: sessionId, token } = await stage.create();
      const lists = Array.from({ length: RACERS }, (_, n) => [clientAt(stage.now + n)]);
      const results = await Promise.all(
        lists.map((refreshedFrom, n) => record(stage, { sessionId, refreshedFrom }, n)),
      );
      const winners = lists.filter((_, n) => results[n]);
      assert.equal(winners.length, 1);
      assert.deepEqual((await stage.find(token))?.session.refreshedFrom, winners[0]);
    },
  },
  {
    name: 'records no clients of a session that is not live, or of another instance',
    async run(stage) {
      const { id: sessionId, token } = await stage.create();
      const nextId = randomHex(16);
      stage.now += 900;
      await stage.use(token, { nextId });
      const refreshedFrom = [clientAt(stage.now)];
      for (const wrong of [
        { sessionId: randomHex(16) },
        { sessionId: nextId },
        { sessionId, instance: '/api' },
        { sessionId, now: stage.now + LIFETIME },
      ]) {
        assert.equal(await record(stage, { ...wrong, refreshedFrom }), false);
      }
      assert.deepEqual((await stage.find(token))?.session.refreshedFrom, []);
      await stage.revoke(sessionId);
      assert.equal(await record(stage, { sessionId, refreshedFrom }), false);
    },
  },
];

type Fields = Partial<ClientRecord> & Pick<ClientRecord, 'sessionId' | 'refreshedFrom'>;

function record(stage: SessionStage, fields: Fields, caller = 0): Promise<boolean> {
  const defaults = { instance: INSTANCE, now: stage.now, expected: [] };
  return stage.storeOf(caller).recordClients({ ...defaults, ...fields });
}

function clientAt(since: number): RefreshClient {
  return { since, ip: '192.0.2.1', userAgent: 'Mozilla/5.0' };
}

/** As long as they may be, of what takes most room in JSON and in a database. */
function longest({ now }: SessionStage): readonly RefreshClient[] {
  return ['"', '\\', 'ü', '世', '\u2028'].map((character, n) => ({
    since: now - n,
    ip: character.repeat(64),
    userAgent: character.repeat(256),
  }));
}
