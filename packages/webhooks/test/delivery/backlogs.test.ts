import { describe, expect, it } from 'vitest';
import { createBacklogs } from '../../src/delivery/backlogs.ts';
import { WebhookError } from '../../src/errors.ts';
import type { TenantBacklog } from '../../src/hooks/webhook-hooks.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { ALL_STORAGES } from '../engine/storages.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../kysely/example-rows.ts';

const MINUTE_MS = 60_000;

/** Processes on one storage, whose clock a test moves, and what they were told. */
function processesOn(storage: WebhookStorage<never>, maxOf: (tenant: string) => number = () => 4) {
  let now = Date.parse('2026-11-20T04:00:00Z');
  const told: TenantBacklog[] = [];
  const errors: unknown[] = [];
  const start = (isToldOfBacklogs = true) =>
    createBacklogs({
      storage,
      clock: () => now,
      tenantBounds: { maxPendingPerTenant: maxOf },
      notifier: {
        isToldOfBacklogs,
        backlog: (one) => void told.push(one),
        error(_, error) {
          errors.push(error);
          return new WebhookError('internal_error', 'reported');
        },
      },
    });
  const first = start();
  /** Counts after so many minutes. */
  const count = (process = first, minutes = 10, signal?: AbortSignal) => {
    now += minutes * MINUTE_MS;
    return process.countBacklogs(signal);
  };
  return { told, errors, start, first, count };
}

/** Dispatches to a webhook, and ends deliveries of it. */
async function waitFor(storage: WebhookStorage<never>, webhookId: number, more: number): Promise<void> {
  const dispatch = { ...DISPATCH, target: { webhookId } };
  if (more > 0) await storage.recordDispatches(Array.from({ length: more }, () => dispatch));
  else {
    const choose = () => new Map([[webhookId, -more]]);
    const claims = await storage.claimDueDeliveries({ ...CLAIM, now: Date.now(), leaseMs: 60_000, choose });
    expect(claims).toHaveLength(-more);
    await storage.recordAttempts(
      claims.map(({ id }) => successOf(id)),
      RESULT_RULES,
    );
  }
}

describe.each(ALL_STORAGES)('backlogs on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('are told once, again when they have doubled, and anew after fewer than half', async () => {
    const { storage } = harness;
    const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' });
    const { told, first, count } = processesOn(storage);
    const news: unknown[] = [];
    for (const more of [3, 1, 0, 3, 1, -6, 2, -3, 3]) {
      if (more !== 0) await waitFor(storage, id, more);
      await count();
      const { largest } = await first.readBacklogs();
      news.push([told.splice(0).map(({ pending }) => pending), largest.map(({ pending }) => pending)]);
    }
    expect(news).toEqual([
      [[], []],
      [[4], [4]],
      [[], [4]],
      [[], [7]],
      [[8], [8]],
      [[], [2]],
      [[], [4]],
      [[], []],
      [[4], [4]],
    ]);
  });

  it('are those of each tenant, and of the host, by the bound of each', async () => {
    const { storage } = harness;
    const register = async (tenant: string) => (await storage.createWebhook({ ...NEW_WEBHOOK, tenant })).id;
    const ids: number[] = [];
    // A page of webhooks ends amid those of a tenant.
    for (const tenant of ['', '', ...Array(60).fill('acme'), ...Array(60).fill('globex'), 'zeta'])
      ids.push(await register(tenant));
    const [host = 0, alsoHost = 0, acme = 0] = ids;
    const [globex = 0, zeta = 0] = ids.slice(-2);
    for (const id of [host, alsoHost, acme, acme + 59]) await waitFor(storage, id, 2);
    for (const id of [globex, zeta]) await waitFor(storage, id, 3);
    const { told, first, count } = processesOn(storage, (tenant) => (tenant === 'zeta' ? 3 : 4));
    await count();
    expect(told).toEqual([{ pending: 4 }, { tenant: 'acme', pending: 4 }, { tenant: 'zeta', pending: 3 }]);
    expect(await first.readBacklogs('zeta')).toEqual({
      largest: [{ tenant: 'zeta', pending: 3 }],
      others: 0,
    });
    expect(await first.readBacklogs('globex')).toEqual({ largest: [], others: 0 });
    await storage.deleteWebhook(zeta);
    await count();
    expect(told).toHaveLength(3);
    expect(await first.readBacklogs('zeta')).toEqual({ largest: [], others: 0 });
  });

  it('are those of all webhooks of a tenant that fill more than a page', async () => {
    const { storage } = harness;
    const ids: number[] = [];
    for (let index = 0; index < 101; index++) {
      ids.push((await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' })).id);
    }
    for (const id of [ids.at(0) ?? 0, ids.at(-1) ?? 0]) await waitFor(storage, id, 2);
    const { told, count } = processesOn(storage);
    await count();
    expect(told).toEqual([{ tenant: 'acme', pending: 4 }]);
  });

  it('are counted, and told, by one process of all', async () => {
    const { storage } = harness;
    const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' });
    await waitFor(storage, id, 4);
    const { told, start, first, count } = processesOn(storage);
    await Promise.all([count(), start().countBacklogs(), start().countBacklogs()]);
    expect(told.splice(0)).toEqual([{ tenant: 'acme', pending: 4 }]);
    await waitFor(storage, id, 4);
    const pending = async () => (await first.readBacklogs()).largest.map((one) => one.pending);
    await count(start(), 9);
    expect(await pending()).toEqual([4]);
    // Those that counted are gone. A process without the hook leaves it to others at first.
    await count(start(false), 5);
    expect(await pending()).toEqual([4]);
    await count(start(false), 1);
    expect(await pending()).toEqual([8]);
    expect(told).toEqual([]);
    await count(start());
    expect(told).toEqual([{ tenant: 'acme', pending: 8 }]);
  });
});

describe('a count of backlogs', () => {
  /** A storage whose webhooks have so many pending deliveries. */
  function storageWith(pending: (tenant: string) => number) {
    const storage = memoryStorage();
    const tenants = new Map<number, string>();
    const asked: unknown[] = [];
    const atAsked = new Map<unknown, () => void>();
    const waitingOf = (count: number) => ({ count, oldestAt: null, dueAt: null });
    const counting: WebhookStorage<never> = {
      ...storage,
      async readOverview({ webhookIds, tenant = '' }) {
        asked.push(tenant || webhookIds?.length);
        atAsked.get(tenant)?.();
        if (webhookIds === undefined) return [{ webhookId: 0, waiting: waitingOf(pending(tenant)) }];
        const countOf = (id: number) => Math.min(pending(tenants.get(id) ?? ''), 10_001);
        return webhookIds.map((webhookId) => ({ webhookId, waiting: waitingOf(countOf(webhookId)) }));
      },
    };
    const register = async (...names: readonly string[]) => {
      for (const tenant of names) {
        const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, tenant });
        tenants.set(id, tenant);
      }
    };
    return { storage: counting, register, asked, atAsked };
  }

  it('counts beyond 10,000 of a webhook, up to 100,000 of a tenant', async () => {
    let pending = 10_000;
    const { storage, register, asked } = storageWith((tenant) => (tenant === '' ? 0 : pending));
    await register('acme');
    const { told, count } = processesOn(storage, () => 10_000);
    for (pending of [10_000, 19_999, 20_000, 100_001]) await count();
    expect(told.map((one) => one.pending)).toEqual([10_000, 20_000, 100_001]);
    expect(asked.filter((one) => one === 'acme')).toHaveLength(3);
  });

  it('ends after a million deliveries, and the next one goes on there', async () => {
    const { storage, register, asked } = storageWith((tenant) => (tenant === '' ? 0 : 10_000));
    await register(...Array(100).fill('a'), 'b', 'c');
    const { told, first, count } = processesOn(storage, () => 10_000);
    await count();
    expect(told.map(({ tenant }) => tenant)).toEqual(['a']);
    await count();
    expect(told.map(({ tenant }) => tenant)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([undefined, 100, 'a', 2]);
    expect((await first.readBacklogs()).largest).toEqual([
      { tenant: 'a', pending: 100_001 },
      { tenant: 'b', pending: 10_000 },
      { tenant: 'c', pending: 10_000 },
    ]);
  });

  it('ends amid a page, too, after a million deliveries, or once it is told to', async () => {
    const { storage, register, asked, atAsked } = storageWith((tenant) => (tenant === '' ? 0 : 100_001));
    await register(...Array.from({ length: 15 }, (_, i) => `t${i + 10}`));
    const { told, first, count } = processesOn(storage, () => 10_000);
    await count();
    expect(told.at(-1)?.tenant).toBe('t19');
    await count();
    expect(told.map(({ tenant }) => tenant)).toEqual(Array.from({ length: 15 }, (_, i) => `t${i + 10}`));
    asked.length = 0;
    await count(first, 10, AbortSignal.abort());
    expect(asked.splice(0)).toEqual([undefined]);
    const ending = new AbortController();
    atAsked.set('t11', () => ending.abort());
    await count(first, 10, ending.signal);
    expect(asked).toEqual([undefined, 15, 't10', 't11']);
  });

  it('keeps nothing once another process has begun, and is due though the clock was set back', async () => {
    let pending = 4;
    const { storage, register } = storageWith(() => pending);
    await register('acme');
    const other = processesOn(storage);
    const slow = processesOn({
      ...storage,
      async listWebhooks(query) {
        pending = 0;
        await other.count(other.first, 20);
        return storage.listWebhooks(query);
      },
    });
    await slow.count();
    expect([slow.told.length, other.told.length]).toEqual([0, 0]);
    await other.count(other.start(), -60);
    await storage.stepBacklogs?.((kept) => {
      expect(JSON.parse(kept)).toMatchObject({ countedAt: Date.parse('2026-11-20T03:20:00Z') });
      return undefined;
    });
  });

  it('tells of 200 tenants at once, and of the others when there is room', async () => {
    const names = Array.from({ length: 203 }, (_, i) => `t${i + 100}`);
    let few: readonly string[] = [];
    const { storage, register } = storageWith((tenant) =>
      tenant === '' || few.includes(tenant) ? 0 : Number(tenant.slice(1)),
    );
    await register(...names);
    const { told, first, count } = processesOn(storage, () => 100);
    await count();
    expect(told.splice(0)).toHaveLength(200);
    const { largest, others } = await first.readBacklogs();
    expect([largest.length, largest[0], others]).toEqual([10, { tenant: 't302', pending: 302 }, 193]);
    await count();
    expect(told).toEqual([]);
    few = ['t300', 't301'];
    await count();
    expect(told.map(({ tenant }) => tenant)).toEqual(['t102', 't101']);
  });

  it('leaves out a tenant whose bound the host fails to tell, and no other', async () => {
    const { storage, register } = storageWith(() => 4);
    await register('acme', 'globex');
    const { told, errors, count } = processesOn(storage, (tenant) => {
      if (tenant === 'acme') throw new Error('no plan');
      return 4;
    });
    await count();
    expect(told).toEqual([{ pending: 4 }, { tenant: 'globex', pending: 4 }]);
    expect(errors).toEqual([new Error('no plan')]);
  });

  it('reports that the storage failed, and begins anew where what is kept is damaged', async () => {
    const { storage, register } = storageWith(() => 4);
    await register('acme');
    const away = new Error('away');
    const failing = processesOn({ ...storage, listWebhooks: () => Promise.reject(away) });
    await failing.count();
    expect([failing.errors, failing.told]).toEqual([[away], []]);
    for (const damaged of ['{', 'null', '{"backlogs":5}']) {
      await storage.stepBacklogs?.(() => damaged);
      const { told, count } = processesOn(storage);
      await count();
      expect(told, damaged).toHaveLength(2);
    }
  });
});
