import assert from 'node:assert/strict';
import { assertDistinct, isRecorded, LEASE_MS, only, type StageCase } from './contract-stage.ts';

/** Two processes on one database. */
export const peerCases: readonly StageCase[] = [
  {
    name: 'shows each process what the other wrote',
    needs: 'peer',
    async run(stage) {
      const webhook = await stage.createWebhook();
      assert.deepEqual(await stage.peer.findWebhook(webhook.id), webhook);
      await stage.peer.recordDispatches([stage.dispatchRecord()]);
      const claim = await stage.claimOnly();
      assert.deepEqual(await stage.peer.recordAttempts([stage.result(claim)]), ['recorded']);
      assert.equal(await stage.record(claim), 'recorded');
      assert.equal((await stage.storage.countDeliveries(webhook.id)).success, 1);
    },
  },
  {
    name: 'never hands out one delivery to two processes',
    needs: 'peer',
    async run(stage) {
      for (let i = 0; i < 5; i++) await stage.createWebhook();
      await stage.storage.recordDispatches(Array.from({ length: 20 }, () => stage.dispatchRecord()));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 === 0 ? stage.storage : stage.peer).claimDueDeliveries(stage.claimRequest({ limit: 9 })),
        ),
      );
      const ids = claims.flat().map(({ id }) => id);
      assertDistinct(ids);
      assert.equal(ids.length, 100);
    },
  },
  {
    name: 'writes a key once, and takes a result once, from two processes',
    needs: 'peer',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const storages = [stage.storage, stage.peer, stage.storage, stage.peer];
      const dispatches = [stage.dispatchRecord({ idempotencyKey: 'k' })];
      const receipts = await Promise.all(storages.map((storage) => storage.recordDispatches(dispatches)));
      assert.equal(receipts.flat().filter(({ repeated }) => !repeated).length, 1);
      assert.equal((await stage.history(id)).length, 1);
      const result = stage.result(await stage.claimOnly());
      const answers = await Promise.all(storages.map((storage) => storage.recordAttempts([result])));
      assert.ok(answers.flat().every(isRecorded));
      const counts = { total: 1, success: 1, failed: 0, pending: 0 };
      assert.deepEqual(await stage.storage.countDeliveries(id), counts);
    },
  },
  {
    name: "lets one process take over what another's lost worker held",
    needs: 'peer',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      await stage.claimOnly();
      assert.deepEqual(await stage.peer.claimDueDeliveries(stage.claimRequest()), []);
      await stage.dispatch();
      const lost = await stage.claimOnly({ leaseMs: LEASE_MS });
      await stage.pass(LEASE_MS + 100);
      const taken = only(await stage.peer.claimDueDeliveries(stage.claimRequest()));
      assert.deepEqual([taken.id, taken.lostAttempt], [lost.id, 1]);
      assert.equal(await stage.record(lost), 'late');
    },
  },
  {
    name: 'leaves no delivery behind when one process dispatches what another removes',
    needs: 'peer',
    async run(stage) {
      for (let round = 0; round < 10; round++) {
        const { id } = await stage.createWebhook();
        const group = Array.from({ length: 5 }, () => stage.dispatchRecord());
        await Promise.all([
          stage.storage.recordDispatches(group),
          stage.peer.deleteWebhook(id),
          stage.storage.recordDispatches(group),
        ]);
        assert.deepEqual(await stage.history(id), []);
        assert.deepEqual(await stage.claim(), []);
      }
    },
  },
  {
    name: 'serves both processes while both do everything at once',
    needs: 'peer',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const rounds = async (storage: typeof stage.storage) => {
        for (let round = 0; round < 20; round++) {
          await storage.recordDispatches([stage.dispatchRecord(), stage.dispatchRecord()]);
          const claims = await storage.claimDueDeliveries(
            stage.claimRequest({ limit: 3, leaseMs: 3_600_000 }),
          );
          const receipts = await storage.recordAttempts(claims.map((claim) => stage.result(claim)));
          assert.ok(receipts.every(isRecorded));
          await storage.updateWebhook(id, { description: `round ${round}`, updatedAt: stage.at() });
        }
      };
      await Promise.all([rounds(stage.storage), rounds(stage.peer)]);
      assert.deepEqual(await stage.storage.countDeliveries(id), {
        total: 80,
        success: 80,
        failed: 0,
        pending: 0,
      });
    },
  },
];
