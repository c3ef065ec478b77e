import assert from 'node:assert/strict';
import { SIMILAR_UIDS } from '../api-key-store/api-key-harness.ts';
import {
  INSTANCE,
  type OneTimeTokenHarnessCases,
  PURPOSE,
  recordOf,
  START,
  TTL_SECONDS,
} from './one-time-token-harness.ts';

/**
 * Instances that a loose comparison would take for {@link INSTANCE}, and one that is none of these.
 */
const FOREIGN_INSTANCES: readonly string[] = ['/api', '/API/ADMIN', '/api/admin ', ' /api/admin', '%', ''];
const FOREIGN_PURPOSES: readonly string[] = ['invitation', 'PASSWORD_RESET', 'password_reset ', 'p%', ''];

/** Storing, finding and replacing. */
export const issuingCases: OneTimeTokenHarnessCases = {
  async 'finds a token by its hash, with every field as it was stored'(harness) {
    const plain = await harness.issue();
    const full = await harness.issue({
      uid: `${'ü'.repeat(126)}😀`,
      instance: '/'.repeat(256),
      purpose: 'p'.repeat(64),
      issuedAt: START + 1,
      expiresAt: 253_402_300_799,
    });
    await harness.expectOpen(plain);
    await harness.expectOpen(full);
  },
  async 'finds nothing for a hash that is not there, nor for one that only resembles it'(harness) {
    const token = harness.newToken();
    await harness.store.issue({ ...token, tokenHash: 'ab'.repeat(32) });
    for (const tokenHash of ['', 'AB'.repeat(32), `${'ab'.repeat(32)} `, 'ab'.repeat(31), '%']) {
      assert.equal(await harness.find({ tokenHash }), undefined, `found by "${tokenHash}"`);
      assert.equal(await harness.consume({ tokenHash }), undefined, `consumed by "${tokenHash}"`);
    }
  },
  async 'finds and consumes a token within its own instance and for its own purpose alone'(harness) {
    const token = await harness.issue();
    const wrong = [
      ...FOREIGN_INSTANCES.map((instance) => ({ instance })),
      ...FOREIGN_PURPOSES.map((purpose) => ({ purpose })),
    ];
    for (const fields of wrong) {
      assert.equal(await harness.find(token, fields), undefined, `found with ${JSON.stringify(fields)}`);
      assert.equal(await harness.consume(token, fields), undefined, JSON.stringify(fields));
    }
    await harness.expectOpen(token);
  },
  async 'finds and consumes no token from the second of its expiry on'(harness) {
    const token = await harness.issue();
    harness.now = START + TTL_SECONDS - 1;
    await harness.expectOpen(token);
    harness.now += 1;
    await harness.expectGone(token);
  },
  async 'replaces the token that the user has for the same purpose in the same instance, and no other'(
    harness,
  ) {
    const others = [
      await harness.issue({ purpose: 'invitation' }),
      await harness.issue({ instance: '/api' }),
      await harness.issue({ uid: '43' }),
    ];
    const first = await harness.issue();
    const second = await harness.issue({ issuedAt: START + 1, expiresAt: START + 100 });
    await harness.expectGone(first, 'the replaced token is open');
    for (const token of [second, ...others]) await harness.expectOpen(token);
  },
  async 'replaces a token that has expired, and issues one after another was consumed'(harness) {
    await harness.issue();
    harness.now += TTL_SECONDS + 1;
    const second = await harness.issue();
    await harness.expectOpen(second);
    assert.deepEqual(await harness.consume(second), recordOf(second));
    const third = await harness.issue();
    await harness.expectGone(second);
    await harness.expectOpen(third);
  },
  async 'tells users apart that a loose comparison would take for one'(harness) {
    const tokens = [];
    for (const uid of SIMILAR_UIDS) tokens.push(await harness.issue({ uid }));
    for (const token of tokens) await harness.expectOpen(token, `the token of "${token.uid}"`);
    const [first, ...rest] = tokens;
    assert.ok(first !== undefined);
    const { uid, instance } = first;
    assert.equal(await harness.store.revokeAll({ uid, instance, now: harness.now }), 1);
    for (const token of rest) await harness.expectOpen(token, `the token of "${token.uid}"`);
  },
  async 'leaves one open token when many are issued at once'(harness) {
    const tokens = await harness.race((store) => harness.issue({}, store));
    const found = await Promise.all(tokens.map((token) => harness.find(token)));
    assert.equal(found.filter((token) => token !== undefined).length, 1);
    const consumed = await harness.race((store, caller) =>
      harness.consume(tokens[caller] ?? { tokenHash: '' }, {}, store),
    );
    assert.equal(consumed.filter((token) => token !== undefined).length, 1);
  },
  'shows every process what another has issued and consumed': {
    needsSecondProcess: true,
    async run(harness) {
      const token = await harness.issue();
      const presented = { ...harness.presented(token), instance: INSTANCE, purpose: PURPOSE };
      assert.deepEqual(await harness.secondProcess.find(presented), recordOf(token));
      assert.deepEqual(await harness.secondProcess.consume(presented), recordOf(token));
      await harness.expectGone(token);
    },
  },
};
