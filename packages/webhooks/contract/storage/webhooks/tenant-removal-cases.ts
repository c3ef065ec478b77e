import assert from 'node:assert/strict';
import type { WebhookQuery } from '../../../src/storage/webhook-requests.ts';
import { type ContractHarness, type HarnessCases, LEASE_MS, WEBHOOK_URL } from '../contract-harness.ts';

const MINUTE_MS = 60_000;
/** In the order of their bytes, in which the last two come after one another as UTF-8 alone. */
const TENANTS = ['%', 'ACME', 'Acme', 'acme', 'acme x', 'acme!', 'ácme', '\uff5e', '😀'];
const BY_TENANT = { sort: 'tenant', order: 'asc', limit: 100, offset: 0 } as const;

/** Lists of tenants, and what their removal needs. */
export const tenantRemovalCases: HarnessCases = {
  async 'lists the webhooks of tenants in the order of their bytes, after a given one'(harness) {
    await harness.createWebhook();
    for (const tenant of [...TENANTS, ...TENANTS].toReversed()) await harness.createWebhook({ tenant });
    const { id: gone } = await harness.createWebhook({ tenant: 'gone' });
    await harness.storage.deleteWebhook(gone);
    const listed = async (query: Partial<WebhookQuery>) =>
      (await harness.storage.listWebhooks({ ...BY_TENANT, ...query })).webhooks;
    const twice = (tenants: readonly string[]) => tenants.flatMap((tenant) => [tenant, tenant]);
    const all = await listed({ tenantAfter: '' });
    assert.deepEqual(
      all.map(({ tenant }) => tenant),
      twice(TENANTS),
    );
    assert.ok(all.every(({ id }, index) => index % 2 === 0 || id > (all[index - 1]?.id ?? id)));
    for (const [index, tenantAfter] of TENANTS.entries()) {
      const page = await listed({ tenantAfter, limit: 4 });
      const expected = twice(TENANTS.slice(index + 1, index + 3));
      assert.deepEqual(
        page.map(({ tenant }) => tenant),
        expected,
        tenantAfter,
      );
    }
    assert.deepEqual(await listed({ tenant: 'Acme', tenantAfter: 'acme' }), []);
    assert.equal((await listed({ tenant: 'acme', tenantAfter: 'Acme' })).length, 2);
  },
  async 'forgets the keys of one tenant, at most the limit, and nobody else’s'(harness) {
    const dispatch = async (tenant: string, idempotencyKey: string) =>
      (await harness.dispatch({ tenant, idempotencyKey })).outcome;
    const tenants = ['', 'acme', 'Acme', 'globex'];
    for (const tenant of tenants) {
      for (const key of ['k', 'l', 'm']) assert.equal(await dispatch(tenant, key), 'written');
    }
    const forget = (tenant: string) =>
      harness.storage.purgeIdempotencyKeys({ tenant, now: harness.now, limit: 2 });
    assert.deepEqual([await forget('acme'), await forget('acme'), await forget('acme')], [2, 1, 0]);
    assert.equal(await forget('unknown'), 0);
    for (const tenant of tenants) {
      const expected = tenant === 'acme' ? 'written' : 'repeated';
      for (const key of ['k', 'l', 'm']) assert.equal(await dispatch(tenant, key), expected, tenant);
    }
  },
  async 'forgets old keys, and not those of the same name of another tenant'(harness) {
    const dispatch = async (tenant: string, createdAt: string) =>
      (await harness.dispatch({ tenant, idempotencyKey: 'k', createdAt })).outcome;
    await dispatch('acme', harness.at(-MINUTE_MS));
    await dispatch('globex', harness.at());
    const old = { createdBefore: harness.at(-MINUTE_MS / 2), limit: 100 };
    assert.equal(await harness.storage.purgeIdempotencyKeys(old), 1);
    assert.deepEqual(
      [await dispatch('acme', harness.at()), await dispatch('globex', harness.at())],
      ['written', 'repeated'],
    );
  },
  async 'closes a tenant whose keys it forgets, and nobody else'(harness) {
    const create = (tenant: string) => harness.createWebhook({ tenant, maxOfTenant: 5 });
    await create('acme');
    for (let call = 0; call < 2; call += 1) {
      await harness.storage.purgeIdempotencyKeys({ tenant: 'acme', now: harness.now, limit: 100 });
      await assert.rejects(create('acme'), ({ code }) => code === 'rate_limited');
    }
    assert.equal((await harness.listIds({ tenant: 'acme' })).length, 1);
    await create('Acme');
    await create('globex');
  },
  'opens a tenant again after a minute': {
    needs: 'callerClock',
    async run(harness) {
      await harness.storage.purgeIdempotencyKeys({ tenant: 'acme', now: harness.now, limit: 100 });
      const create = () => harness.createWebhook({ tenant: 'acme', maxOfTenant: 5 });
      await harness.pass(MINUTE_MS - 1);
      await assert.rejects(create());
      await harness.pass(1);
      await assert.doesNotReject(create());
    },
  },
  'finds or refuses a webhook that was being created when its tenant was closed': (harness) =>
    createBesideRemoval(harness, harness.storage),
  'closes a tenant for two processes at once': {
    needs: 'secondProcess',
    run: (harness) => createBesideRemoval(harness, harness.secondProcess),
  },
  "sends nothing that a host's transaction writes for a webhook removed meanwhile": {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook({ tenant: 'acme' });
      const target = { patterns: ['*'], tenants: ['acme'] };
      const own = { target: { patterns: ['*'] } };
      const { id: stays } = await harness.createWebhook();
      // A database with one connection removes after the transaction.
      let removing: Promise<boolean> | undefined;
      await harness.inTransaction(async (transaction) => {
        const dispatches = [harness.dispatchRecord({ tenant: 'acme', target }), harness.dispatchRecord(own)];
        await harness.storage.recordDispatches(dispatches, transaction);
        removing = harness.storage.deleteWebhook(id);
      });
      assert.equal(await removing, true);
      const claimed = await harness.claim({ leaseMs: LEASE_MS });
      assert.deepEqual(
        claimed.map(({ webhook }) => webhook.id),
        [stays],
      );
      assert.deepEqual(await harness.history(id), []);
      const purge = { createdBefore: harness.at(-MINUTE_MS), now: harness.now, limit: 100 };
      await harness.storage.purgeDeliveries(purge);
      const later = { ...purge, createdBefore: harness.at(1) };
      assert.equal((await harness.storage.purgeDeliveries(later)).removed, 1);
    },
  },
};

/** Registrations of a tenant before, while and after it is closed; a removal follows at once. */
async function createBesideRemoval<Transaction>(
  harness: ContractHarness<Transaction>,
  other: ContractHarness<Transaction>['storage'],
): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const tenant = `tenant-${round}`;
    const create = (index: number) =>
      (index % 2 === 0 ? harness.storage : other).createWebhook({
        ...{ tenant, maxOfTenant: 100, url: WEBHOOK_URL, secret: 'whsec_c2VjcmV0', description: '' },
        ...{ events: ['*'], isActive: true, createdBy: 0, createdByUid: null, createdAt: harness.at() },
      });
    const before = Array.from({ length: 10 }, (_, index) => create(index));
    const closing = harness.storage.purgeIdempotencyKeys({ tenant, now: harness.now, limit: 100 });
    const beside = Array.from({ length: 10 }, (_, index) => create(index));
    const settled = Promise.allSettled([...before, ...beside]);
    await closing;
    const found = await harness.listIds({ tenant });
    const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.deepEqual(await harness.listIds({ tenant }), found, 'a webhook came after the tenant was closed');
    assert.equal(found.length + refused.length, 20);
    assert.ok(refused.every((error) => error?.code === 'rate_limited'));
  }
}
