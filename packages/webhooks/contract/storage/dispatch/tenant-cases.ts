import assert from 'node:assert/strict';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import { type ContractHarness, type HarnessCases, present } from '../contract-harness.ts';

/** Webhooks that a case creates at once. */
const CREATED_AT_ONCE = 50;

const PATTERNS = ['*', 'order.*', 'order.paid'];

/** An event of a tenant, which reaches that tenant's webhooks and the host's own. */
function eventOf(tenant: string): Pick<DispatchRecord, 'tenant' | 'target'> {
  return { tenant, target: { patterns: PATTERNS, tenants: ['', tenant] } };
}

/** Texts that would be one tenant in a database that folds case or accents, or pads. */
const LOOKALIKES = ['acme', 'Acme', 'ACME', 'ácme', 'a\u0301cme', 'acme\u00a0x', 'acme x', 'ａcme', '%', '_'];

/** Webhooks and events of customers. */
export const tenantCases: HarnessCases = {
  async "reaches the webhooks of the tenants that a dispatch names, and nobody else's"(harness) {
    const webhooks = await createdFor(harness, ['', 'acme', 'globex']);
    const reached = async (tenants?: readonly string[]) => {
      const before = await countsOf(harness, webhooks);
      await harness.dispatch({ target: { patterns: PATTERNS, ...(tenants && { tenants }) } });
      const after = await countsOf(harness, webhooks);
      return [...after.keys()].filter((tenant) => after.get(tenant) !== before.get(tenant));
    };
    assert.deepEqual(await reached(), [''], 'a dispatch without tenants reaches the host alone');
    assert.deepEqual(await reached(['']), ['']);
    assert.deepEqual(await reached(['', 'acme']), ['', 'acme']);
    assert.deepEqual(await reached(['globex']), ['globex']);
    assert.deepEqual(await reached(['unknown']), []);
    assert.deepEqual(await reached([]), []);
  },
  async 'tells tenants apart by their bytes, in dispatches, lists and keys'(harness) {
    const webhooks = await createdFor(harness, LOOKALIKES);
    for (const tenant of LOOKALIKES) {
      const receipt = await harness.dispatch({ ...eventOf(tenant), idempotencyKey: 'order-7' });
      assert.deepEqual([receipt.outcome, receipt.deliveryIds.length], ['written', 1], tenant);
      assert.deepEqual(await harness.listIds({ tenant }), [webhooks.get(tenant)]);
    }
    assert.deepEqual(new Set((await countsOf(harness, webhooks)).values()), new Set([1]));
  },
  async "keeps a webhook's tenant through every change, and shows it"(harness) {
    const { id, tenant } = await harness.createWebhook({ tenant: 'acme' });
    assert.equal(tenant, 'acme');
    assert.equal((await harness.createWebhook()).tenant, '');
    const changed = await harness.change(id, { url: 'https://other.example/', events: ['order.paid'] });
    assert.equal(changed?.tenant, 'acme');
    assert.equal((await harness.storage.findWebhook(id))?.tenant, 'acme');
    assert.equal(
      (await harness.dispatch({ target: { patterns: PATTERNS, tenants: ['globex'] } })).deliveryIds.length,
      0,
    );
    assert.equal(
      (await harness.dispatch({ target: { patterns: PATTERNS, tenants: ['acme'] } })).deliveryIds.length,
      1,
    );
  },
  async 'finds a webhook of a tenant for that tenant alone'(harness) {
    const webhook = await harness.createWebhook({ tenant: 'acme' });
    assert.deepEqual(await harness.storage.findWebhook(webhook.id, 'acme'), webhook);
    for (const other of ['ACME', 'globex', '']) {
      assert.equal(await harness.storage.findWebhook(webhook.id, other), undefined, other);
    }
    const { id } = await harness.createWebhook();
    assert.equal(await harness.storage.findWebhook(id, 'acme'), undefined);
    assert.equal((await harness.storage.findWebhook(id, ''))?.id, id);
  },
  async 'lists the webhooks of one tenant, of the host alone, or of all'(harness) {
    const webhooks = await createdFor(harness, ['', 'acme', 'globex']);
    assert.deepEqual(await harness.listIds({ tenant: 'acme' }), [webhooks.get('acme')]);
    assert.deepEqual(await harness.listIds({ tenant: '' }), [webhooks.get('')]);
    assert.deepEqual(await harness.listIds({ tenant: 'unknown' }), []);
    assert.equal((await harness.listIds({})).length, 3);
    const query = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    const subscribed = await harness.storage.listWebhooks({ ...query, tenant: 'acme', patterns: ['*'] });
    assert.equal(subscribed.total, 1);
  },
  async 'tells idempotency keys apart by tenant, in one group and one after the other'(harness) {
    const webhooks = await createdFor(harness, ['', 'acme', 'globex']);
    const keyed = (tenant: string) =>
      harness.dispatchRecord({ ...eventOf(tenant), idempotencyKey: 'order-7' });
    const group = [
      keyed('acme'),
      keyed('globex'),
      harness.dispatchRecord({ idempotencyKey: 'order-7' }),
      keyed('acme'),
    ];
    const outcomes = async () =>
      (await harness.storage.recordDispatches(group)).map(({ outcome }) => outcome);
    assert.deepEqual(await outcomes(), ['written', 'written', 'written', 'repeated']);
    assert.deepEqual(await outcomes(), ['repeated', 'repeated', 'repeated', 'repeated']);
    assert.deepEqual([...(await countsOf(harness, webhooks)).values()], [3, 1, 1]);
  },
  async 'keeps the bound of a tenant, also of creations at once'(harness) {
    await harness.createWebhook({ tenant: 'globex' });
    const create = () => harness.createWebhook({ tenant: 'acme', maxOfTenant: 5 });
    const created = await Promise.allSettled(Array.from({ length: 12 }, create));
    const refused = created.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.deepEqual(new Set(refused.map((error) => error?.code)), new Set(['too_many_webhooks']));
    const [first, ...others] = await harness.listIds({ tenant: 'acme' });
    assert.deepEqual([others.length, refused.length], [4, 7]);
    await assert.rejects(create());
    await harness.storage.deleteWebhook(present(first));
    await create();
    await assert.rejects(create());
    await harness.createWebhook({ tenant: 'acme' });
  },
  async 'has a revision that nothing moves but the deliveries of the webhooks asked for'(harness) {
    const webhooks = await createdFor(harness, ['acme', 'globex']);
    const ids = [present(webhooks.get('acme'))];
    const revision = (of: readonly number[] = ids) => harness.storage.readRevision(of, 'deliveries');
    const [before, ofNone] = [await revision(), await revision([])];
    const { id } = await harness.createWebhook({ tenant: 'initech' });
    await harness.change(id, { isActive: false });
    await harness.dispatch({ target: { patterns: PATTERNS, tenants: ['globex'] } });
    assert.equal(await revision(), before);
    await harness.dispatch({ target: { patterns: PATTERNS, tenants: ['acme'] } });
    const after = await revision();
    assert.notEqual(after, before);
    await harness.end('failed');
    assert.notEqual(await revision(), after);
    assert.equal(await revision([]), ofNone);
  },
  async 'gives every event to its own tenant, among 2,000 with a wildcard'(harness) {
    const random = seeded(20_261_127);
    const tenants = Array.from({ length: 2_000 }, (_, index) => `tenant-${index}`);
    const webhooks = await createdFor(harness, ['', ...tenants]);
    const expected = new Map([...webhooks.keys()].map((tenant) => [tenant, 0]));
    const add = (tenant: string) => expected.set(tenant, present(expected.get(tenant)) + 1);
    const gone = new Set<string>();
    // A few tenants often, so that keys come again and groups have several events of one.
    const chosen = () => present(tenants[Math.floor(random() ** 4 * tenants.length)]);
    for (let round = 0; round < 12; round += 1) {
      const changed = chosen();
      const id = present(webhooks.get(changed));
      if (!gone.has(changed) && round % 3 === 0) await harness.change(id, { isActive: false });
      if (!gone.has(changed) && round % 3 === 1) await harness.storage.deleteWebhook(id);
      if (round % 3 !== 2) gone.add(changed);
      const group = Array.from({ length: 40 }, () => (random() < 0.2 ? undefined : chosen()));
      const records = group.map((tenant, index) => {
        const key = random() < 0.5 ? { idempotencyKey: `key-${round}-${index}` } : {};
        return harness.dispatchRecord({ ...(tenant && eventOf(tenant)), ...key });
      });
      const receipts = await harness.storage.recordDispatches(records);
      for (const [index, tenant] of group.entries()) {
        const reaches = tenant === undefined || gone.has(tenant) ? [''] : ['', tenant];
        assert.equal(present(receipts[index]).deliveryIds.length, reaches.length, tenant);
        reaches.forEach(add);
      }
    }
    const touched = [...expected].filter(([tenant, count]) => count > 0 || gone.has(tenant));
    for (const [tenant, count] of touched) {
      const { total } = await harness.counts(present(webhooks.get(tenant)));
      const isRemoved = (await harness.storage.findWebhook(present(webhooks.get(tenant)))) === undefined;
      assert.equal(total, isRemoved ? 0 : count, `deliveries of "${tenant}"`);
    }
  },
};

/** A webhook for each tenant. */
async function createdFor<Transaction>(
  harness: ContractHarness<Transaction>,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const webhooks = new Map<string, number>();
  for (let start = 0; start < tenants.length; start += CREATED_AT_ONCE) {
    const some = tenants.slice(start, start + CREATED_AT_ONCE);
    const created = await Promise.all(some.map((tenant) => harness.createWebhook({ tenant })));
    for (const { tenant, id } of created) webhooks.set(tenant, id);
  }
  return webhooks;
}

async function countsOf<Transaction>(
  harness: ContractHarness<Transaction>,
  webhooks: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const [tenant, id] of webhooks) counts.set(tenant, (await harness.counts(id)).total);
  return counts;
}

/** Random numbers that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
