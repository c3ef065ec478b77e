import assert from 'node:assert/strict';
import { changing } from '../../../src/storage/changed-state.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { assertDistinct, type HarnessCases, isRecorded, LEASE_MS, only } from '../contract-harness.ts';

/** Two processes on one database. */
export const secondProcessCases: HarnessCases = {
  'shows each process what the other wrote': {
    needs: 'secondProcess',
    async run(harness) {
      const webhook = await harness.createWebhook();
      assert.deepEqual(await harness.secondProcess.findWebhook(webhook.id), webhook);
      await harness.secondProcess.recordDispatches([harness.dispatchRecord()]);
      const claim = await harness.claimOnly();
      assert.deepEqual(await harness.secondProcess.recordAttempts([harness.result(claim)], RESULT_RULES), [
        'recorded',
      ]);
      assert.equal(await harness.record(claim), 'recorded');
      assert.equal((await harness.counts(webhook.id)).success, 1);
    },
  },
  'never hands out one delivery to two processes': {
    needs: 'secondProcess',
    async run(harness) {
      for (let i = 0; i < 5; i++) await harness.createWebhook();
      await harness.storage.recordDispatches(Array.from({ length: 20 }, () => harness.dispatchRecord()));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 === 0 ? harness.storage : harness.secondProcess).claimDueDeliveries(
            harness.claimRequest({ limit: 9 }),
          ),
        ),
      );
      const ids = claims.flat().map(({ id }) => id);
      assertDistinct(ids);
      assert.equal(ids.length, 100);
    },
  },
  'writes a key once, and takes a result once, from two processes': {
    needs: 'secondProcess',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const storages = [harness.storage, harness.secondProcess, harness.storage, harness.secondProcess];
      const dispatches = [harness.dispatchRecord({ idempotencyKey: 'k' })];
      const receipts = await Promise.all(storages.map((storage) => storage.recordDispatches(dispatches)));
      assert.equal(receipts.flat().filter(({ outcome }) => outcome === 'written').length, 1);
      assert.equal((await harness.history(id)).length, 1);
      const result = harness.result(await harness.claimOnly());
      const answers = await Promise.all(
        storages.map((storage) => storage.recordAttempts([result], RESULT_RULES)),
      );
      assert.ok(answers.flat().every(isRecorded));
      const counts = { total: 1, success: 1, failed: 0, pending: 0 };
      assert.deepEqual(await harness.counts(id), counts);
    },
  },
  "lets one process take over what another's lost worker had leased": {
    needs: 'secondProcess',
    async run(harness) {
      await harness.createWebhook();
      await harness.dispatch();
      await harness.claimOnly();
      assert.deepEqual(await harness.secondProcess.claimDueDeliveries(harness.claimRequest()), []);
      await harness.dispatch();
      const lost = await harness.claimOnly({ leaseMs: LEASE_MS });
      await harness.pass(LEASE_MS + 100);
      const taken = only(await harness.secondProcess.claimDueDeliveries(harness.claimRequest()));
      assert.deepEqual([taken.id, taken.lostAttempt], [lost.id, 1]);
      assert.equal(await harness.record(lost), 'late');
    },
  },
  'leaves no delivery behind when one process dispatches what another removes': {
    needs: 'secondProcess',
    async run(harness) {
      for (let round = 0; round < 10; round++) {
        const { id } = await harness.createWebhook();
        const group = Array.from({ length: 5 }, () => harness.dispatchRecord());
        await Promise.all([
          harness.storage.recordDispatches(group),
          harness.secondProcess.deleteWebhook(id),
          harness.storage.recordDispatches(group),
        ]);
        assert.deepEqual(await harness.history(id), []);
        assert.deepEqual(await harness.claim(), []);
      }
    },
  },
  'serves both processes while both do everything at once': {
    needs: 'secondProcess',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const rounds = async (storage: typeof harness.storage) => {
        for (let round = 0; round < 20; round++) {
          await storage.recordDispatches([harness.dispatchRecord(), harness.dispatchRecord()]);
          const claims = await storage.claimDueDeliveries(
            harness.claimRequest({ limit: 3, leaseMs: 3_600_000 }),
          );
          const receipts = await storage.recordAttempts(
            claims.map((claim) => harness.result(claim)),
            RESULT_RULES,
          );
          assert.ok(receipts.every(isRecorded));
          await storage.changeWebhook(
            id,
            changing({ description: `round ${round}`, updatedAt: harness.at() }),
          );
        }
      };
      await Promise.all([rounds(harness.storage), rounds(harness.secondProcess)]);
      assert.deepEqual(await harness.counts(id), {
        total: 80,
        success: 80,
        failed: 0,
        pending: 0,
      });
    },
  },
};
