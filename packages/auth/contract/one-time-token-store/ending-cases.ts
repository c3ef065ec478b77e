import assert from 'node:assert/strict';
import type { HostTransaction } from '../../src/host-transaction.ts';
import {
  INSTANCE,
  type OneTimeTokenHarnessCases,
  PURPOSE,
  recordOf,
  START,
  TTL_SECONDS,
} from './one-time-token-harness.ts';

/** A transaction that no store knows. */
const NO_TRANSACTION: HostTransaction = { isTransaction: true };

/** Consuming, revoking and purging. */
export const endingCases: OneTimeTokenHarnessCases = {
  async 'consumes a token once, and leaves the others open'(harness) {
    const others = [
      await harness.issue({ purpose: 'invitation' }),
      await harness.issue({ instance: '/api' }),
      await harness.issue({ uid: '43' }),
    ];
    const token = await harness.issue();
    assert.deepEqual(await harness.consume(token), recordOf(token));
    await harness.expectGone(token);
    for (const other of others) await harness.expectOpen(other);
  },
  async 'finds a token as often as it is asked, and consumes none by it'(harness) {
    const token = await harness.issue();
    for (let times = 0; times < 3; times += 1) await harness.expectOpen(token);
    assert.deepEqual(await harness.consume(token), recordOf(token));
  },
  async 'gives a token to one of many callers at once'(harness) {
    for (let round = 0; round < 3; round += 1) {
      const token = await harness.issue();
      const consumed = await harness.race((store) => harness.consume(token, {}, store));
      const winners = consumed.filter((result) => result !== undefined);
      assert.deepEqual(winners, [recordOf(token)]);
    }
  },
  async 'consumes or replaces a token when both are tried at once, and leaves the new one open'(harness) {
    for (let round = 0; round < 5; round += 1) {
      const old = await harness.issue();
      const renewed = harness.newToken();
      const results = await harness.race(async (store, caller) => {
        if (caller !== 10 + round) return await harness.consume(old, {}, store);
        await store.issue(renewed);
        return undefined;
      });
      assert.ok(results.filter((result) => result !== undefined).length <= 1);
      await harness.expectGone(old);
      await harness.expectOpen(renewed);
    }
  },
  async 'revokes or consumes a token when both are tried at once'(harness) {
    for (let round = 0; round < 5; round += 1) {
      const token = await harness.issue();
      const revocation = { uid: '42', instance: INSTANCE, now: harness.now };
      const ended = await harness.race(async (store, caller) => {
        if (caller % 2 === round % 2) return await store.revokeAll(revocation);
        return (await harness.consume(token, {}, store)) === undefined ? 0 : 1;
      });
      assert.equal(
        ended.reduce((sum, count) => sum + count, 0),
        1,
      );
      await harness.expectGone(token);
    }
  },
  async "revokes a user's open tokens in one instance, all or those for a purpose, and counts them"(harness) {
    const kept = [await harness.issue({ instance: '/api' }), await harness.issue({ uid: '43' })];
    const reset = await harness.issue();
    const invitation = await harness.issue({ purpose: 'invitation' });
    const verification = await harness.issue({ purpose: 'verification' });
    const revocation = { uid: '42', instance: INSTANCE, now: harness.now };
    assert.equal(await harness.store.revokeAll({ ...revocation, purpose: PURPOSE }), 1);
    await harness.expectGone(reset);
    for (const token of [invitation, verification]) await harness.expectOpen(token);
    assert.equal(await harness.store.revokeAll(revocation), 2);
    for (const token of [invitation, verification]) await harness.expectGone(token);
    assert.equal(await harness.store.revokeAll(revocation), 0);
    for (const token of kept) await harness.expectOpen(token);
  },
  async 'counts no token as revoked that has expired or was consumed'(harness) {
    await harness.issue({ purpose: 'short', expiresAt: START + 60 });
    await harness.consume(await harness.issue());
    harness.now += 60;
    const revocation = { uid: '42', instance: INSTANCE, now: harness.now };
    assert.equal(await harness.store.revokeAll(revocation), 0);
  },
  async 'changes nothing where it is given a transaction that is none'(harness) {
    const token = await harness.issue();
    const transaction = NO_TRANSACTION;
    const { store, now } = harness;
    const attempts = [
      () => store.issue({ ...harness.newToken(), transaction }),
      () => store.consume({ ...harness.presented(token), transaction }),
      () => store.revokeAll({ uid: '42', instance: INSTANCE, now, transaction }),
    ];
    for (const attempt of attempts) await assert.rejects(async () => attempt(), TypeError);
    await harness.expectOpen(token);
  },
  async 'purges expired tokens of all instances, as many as it is asked to, and none that is open'(harness) {
    const open = await harness.issue({ uid: 'open' });
    const due = [];
    for (let n = 0; n < 7; n += 1) {
      const instance = n % 2 === 0 ? INSTANCE : '/api';
      due.push(await harness.issue({ uid: `${n}`, instance, expiresAt: START + n }));
    }
    const expiredBefore = START + 4;
    assert.equal(await harness.store.purge({ expiredBefore, limit: 2 }), 2);
    assert.equal(await harness.store.purge({ expiredBefore, limit: 2 }), 2);
    assert.equal(await harness.store.purge({ expiredBefore, limit: 2 }), 1);
    assert.equal(await harness.store.purge({ expiredBefore, limit: 2 }), 0);
    for (const token of [...due.slice(5), open]) await harness.expectOpen(token);
    const all = START + TTL_SECONDS;
    assert.equal(await harness.store.purge({ expiredBefore: all - 1, limit: 1_000 }), 2);
    assert.equal(await harness.store.purge({ expiredBefore: all, limit: 1_000 }), 1);
  },
  async 'purges each token once when several processes purge, while others are issued'(harness) {
    for (let n = 0; n < 20; n += 1) await harness.issue({ uid: `${n}`, expiresAt: START + 60 });
    harness.now = START + 60;
    const renewed = harness.newToken({ uid: '7' });
    const purges = harness.race((store, caller) =>
      caller % 10 === 0 ? store.purge({ expiredBefore: harness.now, limit: 100 }) : Promise.resolve(0),
    );
    await harness.storeOf(1).issue(renewed);
    const removed = (await purges).reduce((sum, count) => sum + count, 0);
    assert.ok(removed === 20 || removed === 19, `removed ${removed}`);
    await harness.expectOpen(renewed);
  },
};
