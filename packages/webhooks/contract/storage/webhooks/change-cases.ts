import assert from 'node:assert/strict';
import { changing } from '../../../src/storage/changed-state.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import type { Webhook } from '../../../src/storage/webhook-record.ts';
import { type ContractHarness, deactivation, type HarnessCases, present } from '../contract-harness.ts';

const MINUTE_MS = 60_000;
/** How many change one webhook at once. */
const RACERS = 8;

/** When a webhook was changed, and changes for a state of it. */
export const changeCases: HarnessCases = {
  async 'gives a webhook a later updatedAt with every change, while the clock stands still or goes back'(
    harness,
  ) {
    const webhook = await harness.createWebhook();
    const other = await harness.createWebhook();
    const times = [webhook.updatedAt];
    for (const offsetMs of [0, 0, -MINUTE_MS, -MINUTE_MS, 1, MINUTE_MS]) {
      const updatedAt = harness.at(offsetMs);
      for (const change of CHANGES) {
        const changed = await change(harness, webhook.id, updatedAt);
        assert.deepEqual(await harness.storage.findWebhook(webhook.id), changed);
        times.push(changed.updatedAt);
      }
    }
    assert.deepEqual(times, [...new Set(times)].sort(), 'an updatedAt is not later than the one before');
    for (const time of times) assert.equal(new Date(time).toISOString(), time);
    assert.deepEqual(await harness.storage.findWebhook(other.id), other);
  },
  async 'adds one millisecond to the last updatedAt where no later one is given, and keeps one that is later'(
    harness,
  ) {
    for (const time of ['2026-11-20T04:10:59.999Z', '2026-12-31T23:59:59.999Z', '2028-02-28T23:59:59.998Z']) {
      const { id } = await harness.createWebhook({ createdAt: time });
      const after = (ms: number) => new Date(Date.parse(time) + ms).toISOString();
      const updated = async (updatedAt: string) =>
        present(await harness.change(id, { description: 'x', updatedAt })).updatedAt;
      assert.equal(await updated(time), after(1));
      assert.equal(await updated('2026-01-01T00:00:00.000Z'), after(2));
      assert.equal(await updated(after(3)), after(3));
    }
  },
  async 'gives each of many changes at once an updatedAt of its own'(harness) {
    const { id, updatedAt } = await harness.createWebhook();
    const changed = await Promise.all(
      Array.from({ length: RACERS }, (_, racer) =>
        harness.storageOf(racer).changeWebhook(id, changing({ description: `${racer}`, updatedAt })),
      ),
    );
    const times = changed.map((webhook) => present(webhook).updatedAt);
    assert.equal(new Set([updatedAt, ...times]).size, RACERS + 1, 'two states have the same updatedAt');
    const last = present(changed.find((webhook) => webhook?.updatedAt === times.toSorted().at(-1)));
    assert.deepEqual(await harness.storage.findWebhook(id), last);
  },
  async 'changes and removes a webhook in the state that is expected, and in no other'(harness) {
    for (const change of EXPECTING_CHANGES) {
      const { id, updatedAt: first } = await harness.createWebhook({ secret: 'whsec_first' });
      await harness.pass(10);
      const theirs = { description: 'theirs', expected: { updatedAt: first } };
      const { updatedAt: second } = present(await harness.change(id, theirs));
      await harness.dispatch({ target: { webhookId: id } });
      const before = await harness.storage.findWebhook(id);
      for (const expected of [first, harness.at(1), '']) {
        assert.equal(await change(harness.storage, id, harness.at(), expected), false);
        assert.deepEqual(await harness.storage.findWebhook(id), before);
      }
      const secrets = (await harness.claim()).map(({ webhook }) => webhook.secret);
      assert.deepEqual(secrets, ['whsec_first']);
      assert.equal((await harness.history(id)).length, 1);
      assert.equal(await change(harness.storage, id, harness.at(), second), true);
      assert.notDeepEqual(await harness.storage.findWebhook(id), before);
      assert.equal(await change(harness.storage, id, harness.at(), second), false);
      assert.equal(await change(harness.storage, id + 1_000, harness.at(), second), false);
    }
  },
  async 'lets one of many changes at once through that expect the same state'(harness) {
    for (let round = 0; round < 5; round++) {
      const { id, updatedAt } = await harness.createWebhook();
      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, racer) => {
          const change = present(EXPECTING_CHANGES[racer % EXPECTING_CHANGES.length]);
          return change(harness.storageOf(racer), id, harness.at(), updatedAt);
        }),
      );
      assert.equal(answers.filter(Boolean).length, 1);
      assert.notEqual((await harness.storage.findWebhook(id))?.updatedAt, updatedAt);
    }
  },
};

type Change = <Transaction>(
  harness: ContractHarness<Transaction>,
  id: number,
  updatedAt: string,
) => Promise<Webhook>;

/** Each way in which a webhook changes. */
const CHANGES: readonly Change[] = [
  async (harness, id, updatedAt) => present(await harness.change(id, { updatedAt })),
  async (harness, id, updatedAt) => {
    const rotation = { secret: 'whsec_next', previousSecretExpiresAt: updatedAt };
    return present(await harness.change(id, { events: ['a.b'], isActive: true, rotation, updatedAt }));
  },
  async (harness, id, updatedAt) => {
    const change = { ...deactivation(await harness.activationOf(id)), updatedAt };
    const deactivated = present(await harness.change(id, change));
    assert.equal(deactivated.isActive, false);
    const activated = present(await harness.change(id, { isActive: true, updatedAt }));
    assert.ok(activated.updatedAt > deactivated.updatedAt, 'an activation is not later than what it ends');
    return activated;
  },
];

type ExpectingChange = <Transaction>(
  storage: WebhookStorage<Transaction>,
  id: number,
  updatedAt: string,
  expectedUpdatedAt: string,
) => Promise<boolean>;

/** Each change that may be made for a state; true if it was made. */
const EXPECTING_CHANGES: readonly ExpectingChange[] = [
  async (storage, id, updatedAt, expectedUpdatedAt) => {
    const rotation = { secret: 'whsec_next', previousSecretExpiresAt: updatedAt };
    const change = { description: 'mine', rotation, updatedAt, expected: { updatedAt: expectedUpdatedAt } };
    return (await storage.changeWebhook(id, changing(change))) !== undefined;
  },
  (storage, id, _updatedAt, expectedUpdatedAt) => storage.deleteWebhook(id, expectedUpdatedAt),
];
