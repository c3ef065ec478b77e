import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import type { Route } from '../../src/admin/routes/route.ts';
import { routesFor } from '../../src/admin/routes/routes.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import { encodePlace } from '../../src/registry/delivery-cursor.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { type Answer, actorFromHeader, type Call } from '../admin/admin-harness.ts';
import { failPending } from '../admin/fail-pending.ts';
import { ALL_STORAGES, type OpenedStorage } from '../engine/storages.ts';
import { type FilledRequest, filled, type Names, namingFields } from './fillings.ts';
import { engineOn, portalCaller } from './portal-harness.ts';

const ROUTES = routesFor('customers');

/** Operations that take nothing by which they could name something. */
const NAMELESS = ['readOverview', 'readActivityOfAll', 'listEvents', 'getDocument'];

/** The fastest of at least so many calls, and of more while a busy machine makes a difference. */
const TIMED_CALLS = 11;
const TIMED_RUNS = 5;
const MAX_RATIO = 3;

describe.each(ALL_STORAGES)('what a customer is answered about others on $name', ({ name, open }) => {
  let opened: OpenedStorage;
  let webhooks: Webhooks;
  let call: Call;
  let statements = 0;
  let own: Names;
  /** What another customer has, and the same of nobody. */
  let foreign: Names;
  let unknown: Names;
  let before: string;

  beforeAll(async () => {
    opened = await open(() => {
      statements += 1;
    });
    // Each webhook has a version of its own.
    let now = Date.now();
    const clock = () => ++now;
    webhooks = engineOn(opened.storage, { clock, maxTenantCallsPerMinute: 1_000 });
    call = portalCaller(createPortalApi(webhooks, { authorize: actorFromHeader }));
    // First: a place in what others have is behind everything of its own.
    const { id } = await webhooks.forTenant('acme').create({ url: 'https://hooks.example.com/acme' });
    await dispatchTo('acme');
    own = { ...(await namesOf(id)), event: 'order.paid', text: 'acme' };
    foreign = await other('globex');
    unknown = nobodys(foreign);
    await webhooks.create({ url: 'https://hooks.example.com/of-the-host', createdByUid: 'admin-1' });
    await webhooks.dispatch('fraud.found', { score: 1 });
    await failPending(opened.storage, 100);
    before = await others();
  });
  afterAll(() => opened.close());

  async function other(tenant: string): Promise<Names> {
    const created = { url: `https://hooks.example.com/${tenant}`, createdByUid: `user-of-${tenant}` };
    const { id } = await webhooks.forTenant(tenant).create(created);
    await dispatchTo(tenant);
    return { ...(await namesOf(id)), event: 'fraud.found', text: tenant };
  }

  async function dispatchTo(tenant: string): Promise<void> {
    for (let n = 0; n < 3; n += 1) await webhooks.dispatch('order.paid', { of: tenant }, { tenant });
    await failPending(opened.storage, 100);
  }

  async function namesOf(webhook: number): Promise<Omit<Names, 'event' | 'text'>> {
    const { updatedAt: etag } = await webhooks.get(webhook);
    const [, delivery] = (await webhooks.deliveries(webhook)).deliveries;
    if (delivery === undefined) throw new Error('a webhook has no deliveries');
    const place = (kind: 'history' | 'search' | 'recovery') => encodePlace(kind, delivery);
    const places = { history: place('history'), search: place('search'), recovery: place('recovery') };
    return { webhook, delivery: delivery.deliveryId, etag, ...places };
  }

  /** Everything that is not acme's. */
  async function others(): Promise<string> {
    const ids = [foreign.webhook, ...(await webhooks.list({ tenant: null })).webhooks.map(({ id }) => id)];
    const states = ids.map(async (id) => [await webhooks.get(id), await webhooks.deliveries(id)]);
    return JSON.stringify([await webhooks.list({ tenant: 'globex' }), await Promise.all(states)]);
  }

  async function send({ method, path, options }: FilledRequest) {
    statements = 0;
    const begin = performance.now();
    const answer = await call(method, path, options);
    return { answer, statements, ms: performance.now() - begin };
  }

  /** Fails where an answer has anything of others in it. */
  function expectNothingOfOthers(text: string): void {
    expect(text).not.toMatch(/globex|of-the-host|admin-1|fraud\.found|Fraud found|"score"/);
    expect(text).not.toContain(foreign.delivery);
  }

  inOneTest(ROUTES)('$name: of what others have, the same as of what nobody has', async (route) => {
    const fields = namingFields(route);
    expect(fields.length === 0).toBe(NAMELESS.includes(route.name));
    for (const chosen of subsetsOf(fields)) {
      const naming = (names: Names) => filled(route, own, new Map(chosen.map((field) => [field, names])));
      const theirs = await send(naming(foreign));
      const nobodysAnswer = await send(naming(unknown));
      const what = `with ${chosen.join(' and ')}`;
      expect(asIfUnknown(wireOf(theirs.answer)), what).toBe(wireOf(nobodysAnswer.answer));
      expect(theirs.statements, what).toBe(nobodysAnswer.statements);
      expectNothingOfOthers(asIfUnknown(theirs.answer.text));
    }
    if (route.method === 'GET') {
      const { answer } = await send(filled(route, own, new Map(fields.map((field) => [field, own]))));
      expect(answer.status).toBe(route.success);
      expectNothingOfOthers(answer.text);
    }
    expect(await others()).toBe(before);
  });

  it('takes the same time for both', async () => {
    for (const route of ROUTES.filter((candidate) => !NAMELESS.includes(candidate.name))) {
      const fields = namingFields(route);
      const naming = (names: Names) => filled(route, own, new Map(fields.map((field) => [field, names])));
      const timeOf = async (names: Names) => {
        const { answer, ms } = await send(naming(names));
        // Who has called too often is answered early.
        expect(answer.status, route.name).not.toBe(429);
        return ms;
      };
      /** How many times as long one takes as the other: both in turns, so that a busy machine slows both. */
      const ratio = async () => {
        const [theirs, nobodys]: [number[], number[]] = [[], []];
        for (let n = 0; n < TIMED_CALLS; n += 1) {
          theirs.push(await timeOf(foreign));
          nobodys.push(await timeOf(unknown));
        }
        const medians = [medianOf(theirs), medianOf(nobodys)];
        return Math.max(...medians) / Math.min(...medians);
      };
      let least = await ratio();
      for (let run = 1; run < TIMED_RUNS && least >= MAX_RATIO; run += 1)
        least = Math.min(least, await ratio());
      // Equal statements say nothing of a wait, or of work in the process.
      expect(least, route.name).toBeLessThan(MAX_RATIO);
    }
  });

  it('every operation works on what is its own, and on nothing else', async () => {
    const last = (route: Route) => Number(route.method === 'DELETE');
    for (const route of [...ROUTES].sort((a, b) => last(a) - last(b))) {
      await failPending(opened.storage, 100);
      own = { ...own, etag: (await webhooks.get(own.webhook)).updatedAt };
      const request = filled(route, own, new Map(namingFields(route).map((field) => [field, own])));
      const { answer, statements: run } = await send(request);
      expect([route.name, answer.status]).toEqual([route.name, route.success]);
      expectNothingOfOthers(answer.text);
      if (name !== 'memory' && !NAMELESS.includes(route.name)) expect(run).toBeGreaterThan(0);
    }
    expect((await webhooks.list({ tenant: 'acme' })).total).toBe(1);
    expect(await others()).toBe(before);
  });

  /** An answer that repeats what it was asked about, as if it had been asked about the other. */
  function asIfUnknown(text: string): string {
    return text
      .replaceAll(foreign.delivery, unknown.delivery)
      .replaceAll(foreign.event, unknown.event)
      .replaceAll(`"webhook_id":${foreign.webhook}`, `"webhook_id":${unknown.webhook}`);
  }
});

/** Names of the same lengths for what does not exist. */
function nobodys(names: Names): Names {
  const { createdAt, id } = decoded(names.history);
  const place = { createdAt, id: id + 1_000 };
  return {
    webhook: Number('9'.repeat(String(names.webhook).length)),
    delivery: names.delivery.slice(0, -1) + (names.delivery.endsWith('0') ? '1' : '0'),
    etag: '1999-01-01T00:00:00.000Z',
    history: encodePlace('history', place),
    search: encodePlace('search', place),
    recovery: encodePlace('recovery', place),
    event: names.event.replace(/\w+$/, (end) => 'z'.repeat(end.length)),
    text: 'z'.repeat(names.text.length),
  };
}

function decoded(cursor: string): { readonly createdAt: string; readonly id: number } {
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString().slice(1, -1).split(' ');
  return { createdAt, id: Number(id) };
}

/** Status, headers and body as text. */
function wireOf({ status, headers, text }: Answer): string {
  return [status, ...[...headers].map(([key, value]) => `${key}: ${value}`), text].join('\n');
}

/** Every choice of at least one. */
function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  const choices = Array.from({ length: 2 ** items.length - 1 }, (_, n) => n + 1);
  return choices.map((choice) => items.filter((_, index) => (choice >> index) % 2 === 1));
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}
