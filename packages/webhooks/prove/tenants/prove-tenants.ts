import type { Kysely } from 'kysely';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import {
  type ApiRequest,
  foreignRequests,
  type Ids,
  ownReads,
  UNKNOWN,
  withoutIds,
} from './foreign-requests.ts';
import { allEnded, BASE, createTenantEngine, portalApiOf, type TenantEngine } from './tenant-engine.ts';
import { markOf, startTenantRecipients, type TenantRecipients } from './tenant-recipients.ts';

/** What came of a proof. */
export interface TenantsVerdict {
  /** What was tried, and how often. */
  readonly tried: Readonly<Record<string, number>>;
  /** What reached, told or changed somebody else's. */
  readonly crossings: readonly string[];
  /** Events that did not arrive, or came again after they were accepted. */
  readonly lost: number;
  readonly duplicates: number;
  readonly holds: boolean;
}

const [WEBHOOKS_PER_TENANT, KEYS] = [2, 3];

/** A webhook of the proof. */
interface Own {
  readonly id: number;
  readonly tenant: string;
  readonly path: string;
  readonly secret: string;
  /** The events that must arrive, each once. */
  readonly expected: Set<number>;
}

/**
 * Tries to cross tenants over one database, with a worker that delivers over HTTP meanwhile: by
 * events, keys, retries, ids of others in every route, lists, searches, versions, selections, and
 * the removal of tenants beside deliveries.
 */
export async function proveTenants(
  db: Kysely<WebhookTables>,
  { tenants, rounds }: { readonly tenants: number; readonly rounds: number },
): Promise<TenantsVerdict> {
  const recipients = await startTenantRecipients();
  const webhooks = createTenantEngine(db);
  const names = Array.from({ length: tenants }, (_, index) => `tenant-${index}`);
  const proof = new TenantsProof({ db, webhooks, recipients, names });
  try {
    await webhooks.start();
    await proof.register();
    for (let round = 0; round < rounds; round += 1) {
      await proof.dispatch(round);
      await proof.tryForeignIds(round);
      await proof.readOwn(round);
      await proof.checkVersion(round);
    }
    await proof.redeliverOwn();
    await proof.removeOne();
    await allEnded(db);
    return await proof.verdict();
  } finally {
    await webhooks.close();
    await recipients.close();
  }
}

class TenantsProof {
  readonly #db: Kysely<WebhookTables>;
  readonly #webhooks: TenantEngine;
  readonly #recipients: TenantRecipients;
  readonly #names: readonly string[];
  readonly #own: Own[] = [];
  readonly #removed = new Set<string>();
  readonly #tried = new Map<string, number>();
  readonly #crossings: string[] = [];
  #events = 0;

  constructor(world: {
    db: Kysely<WebhookTables>;
    webhooks: TenantEngine;
    recipients: TenantRecipients;
    names: readonly string[];
  }) {
    this.#db = world.db;
    this.#webhooks = world.webhooks;
    this.#recipients = world.recipients;
    this.#names = world.names;
  }

  async register(): Promise<void> {
    for (const tenant of ['', ...this.#names]) {
      for (let n = 0; n < WEBHOOKS_PER_TENANT; n += 1) {
        const url = this.#recipients.urlFor(tenant);
        const input = { url, description: markOf(tenant) };
        const own = tenant === '' ? this.#webhooks : this.#webhooks.forTenant(tenant);
        const { id, secret } = await own.create(input);
        this.#own.push({ id, secret, tenant, path: new URL(url).pathname, expected: new Set() });
      }
    }
  }

  /** To every tenant at once, each event and key under the same names; and what is nobody's. */
  async dispatch(round: number): Promise<void> {
    const keys = Array.from({ length: KEYS }, (_, index) => `order-${round}-${index}`);
    const present = this.#names.filter((tenant) => !this.#removed.has(tenant));
    const all = present.flatMap((tenant) => keys.map((idempotencyKey) => ({ tenant, idempotencyKey })));
    await Promise.all(all.map((options) => this.#dispatchOne('order.paid', options, ['', options.tenant])));
    await Promise.all(
      all.map(async ({ tenant, idempotencyKey }) => {
        const again = await this.#webhooks.dispatch('order.paid', {}, { tenant, idempotencyKey });
        this.#count('keys again');
        if (!again.repeated) this.#cross(`the key ${idempotencyKey} of ${tenant} was not its own`);
      }),
    );
    await Promise.all(
      present.flatMap((tenant) => [
        this.#dispatchOne('order.paid', { tenant, only: 'tenant' }, [tenant]),
        this.#dispatchOne('fraud.found', { tenant }, ['']),
        this.#dispatchOne('order.paid', { tenant: null }, ['']),
      ]),
    );
  }

  async #dispatchOne(
    event: 'order.paid' | 'fraud.found',
    options: { tenant: string | null; only?: 'tenant'; idempotencyKey?: string },
    reached: readonly string[],
  ): Promise<void> {
    const n = ++this.#events;
    const { tenant } = options;
    const payload = { tenant, n, text: markOf(tenant ?? '') };
    const receipt = await this.#webhooks.dispatch(event, payload, options);
    this.#count('events');
    const expected = this.#own.filter((one) => reached.includes(one.tenant));
    if (receipt.deliveries !== expected.length || receipt.repeated) {
      this.#cross(`event ${n} of ${tenant} reached ${receipt.deliveries} instead of ${expected.length}`);
    }
    for (const one of expected) one.expected.add(n);
  }

  /** Another's ids, and the host's, get the bytes that unknown ones get. */
  async tryForeignIds(round: number): Promise<void> {
    const tenant = this.#nameAt(round);
    const others = this.#own.filter((own) => [this.#nameAt(round + 1), ''].includes(own.tenant));
    for (const { id } of others) {
      const [delivery] = (await this.#webhooks.deliveries(id, { limit: 1 })).deliveries;
      const foreign = { id, deliveryId: delivery?.deliveryId ?? '' };
      const state = async () => (await this.#webhooks.get(id).catch(() => undefined))?.updatedAt;
      const before = await state();
      const unknown = foreignRequests(UNKNOWN);
      for (const [index, request] of foreignRequests(foreign).entries()) {
        const expected = await this.#ask(tenant, unknown[index] ?? request, UNKNOWN);
        const answer = await this.#ask(tenant, request, foreign);
        this.#count(`foreign ids in ${unknown.length} requests`);
        if (answer !== expected) this.#cross(`${tenant} tells ${request.name} of ${id}: ${answer}`);
      }
      if ((await state()) !== before) this.#cross(`${tenant} changed the webhook ${id}`);
    }
  }

  /** Nothing of what a tenant reads has a text of another's in it. */
  async readOwn(round: number): Promise<void> {
    const tenant = this.#nameAt(round);
    for (const request of ownReads(markOf(this.#nameAt(round + 1)))) {
      const text = await this.#ask(tenant, request);
      this.#count('lists and searches');
      this.#checkTexts(tenant, request.name, text);
    }
    for (const { id } of this.#own.filter((own) => own.tenant === tenant)) {
      for (const path of [`/${id}`, `/${id}/deliveries?limit=100`, `/${id}/activity`]) {
        this.#count('lists and searches');
        this.#checkTexts(tenant, path, await this.#ask(tenant, { name: path, method: 'GET', path }));
      }
    }
  }

  /** A version does not move with what others do. */
  async checkVersion(round: number): Promise<void> {
    const [tenant, other] = [this.#nameAt(round), this.#nameAt(round + 1)];
    await allEnded(this.#db);
    const read = () => this.#ask(tenant, { name: 'changes', method: 'GET', path: '/changes' });
    const before = await read();
    const id = this.#own.find((own) => own.tenant === other)?.id ?? 0;
    await this.#webhooks.forTenant(other).update(id, { description: markOf(other) + round });
    await this.#dispatchOne('order.paid', { tenant: other, only: 'tenant' }, [other]);
    await allEnded(this.#db);
    this.#count('versions');
    if ((await read()) !== before) this.#cross(`the version of ${tenant} moved with ${other}`);
  }

  /** Its own deliveries are sent again to itself alone. */
  async redeliverOwn(): Promise<void> {
    await allEnded(this.#db);
    const before = new Map(this.#own.map(({ path }) => [path, this.#recipients.requestsTo(path)]));
    const [first] = this.#own.filter(({ tenant }) => tenant === this.#nameAt(0));
    if (first === undefined) return;
    const [delivery] = (await this.#webhooks.deliveries(first.id, { status: 'success', limit: 1 }))
      .deliveries;
    const deliveryId = delivery?.deliveryId ?? '';
    await this.#webhooks.forTenant(first.tenant).redeliver(first.id, deliveryId);
    await this.#webhooks.forTenant(first.tenant).test(first.id);
    await allEnded(this.#db);
    this.#count('redeliveries and tests', 2);
    for (const { path, tenant } of this.#own) {
      const isMore = this.#recipients.requestsTo(path) > (before.get(path) ?? 0);
      if (isMore !== (path === first.path)) this.#cross(`a redelivery of ${first.tenant} met ${tenant}`);
    }
  }

  /** Removes the last tenant while everybody's deliveries are under way. */
  async removeOne(): Promise<void> {
    const tenant = this.#nameAt(this.#names.length - 1);
    const own = this.#own.filter((one) => one.tenant === tenant);
    const register = () => this.#webhooks.forTenant(tenant).create({ url: this.#recipients.urlFor(tenant) });
    await this.dispatch(-1);
    const registering = Promise.allSettled([register(), register()]);
    while (!(await this.#webhooks.removeTenant(tenant)).done);
    await registering;
    this.#removed.add(tenant);
    for (const one of own) one.expected.clear();
    await allEnded(this.#db);
    const requestsTo = () => own.map(({ path }) => this.#recipients.requestsTo(path)).join();
    const before = requestsTo();
    const receipt = await this.#webhooks.dispatch('order.paid', {}, { tenant, only: 'tenant' });
    await this.dispatch(-2);
    await allEnded(this.#db);
    this.#count('removals beside deliveries');
    if (receipt.deliveries > 0) this.#cross(`${tenant} receives events after its removal`);
    if (requestsTo() !== before) this.#cross(`${tenant} was sent something after its removal`);
    const { total } = await this.#webhooks.list({ tenant, limit: 1 });
    const ids = own.map(({ id }) => id);
    const left = this.#db.selectFrom('webhook_deliveries').select('id').where('webhook_id', 'in', ids);
    const rows = await left.execute();
    if (total + rows.length > 0)
      this.#cross(`${tenant} left ${total} webhooks and ${rows.length} deliveries`);
  }

  async verdict(): Promise<TenantsVerdict> {
    const known = new Map(this.#own.map(({ path, tenant, secret }) => [path, { tenant, secret }]));
    const { requests, accepted, crossings } = await this.#recipients.check(known);
    this.#count('requests to recipients', requests);
    let lost = 0;
    let duplicates = 0;
    for (const { path, tenant, expected } of this.#own) {
      if (this.#removed.has(tenant)) continue;
      const arrived = accepted.get(path) ?? [];
      lost += [...expected].filter((n) => !arrived.includes(n)).length;
      crossings.push(...arrived.filter((n) => !expected.has(n)).map((n) => `${path} got the event ${n}`));
      duplicates += arrived.length - new Set(arrived).size;
    }
    const all = [...this.#crossings, ...crossings];
    // One was sent again on purpose.
    const holds = all.length === 0 && lost === 0 && duplicates <= 1;
    return { tried: Object.fromEntries(this.#tried), crossings: all, lost, duplicates, holds };
  }

  async #ask(tenant: string, { method, path, body, ifMatch }: ApiRequest, ids?: Ids): Promise<string> {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const request = new Request(`http://127.0.0.1${BASE}${path}`, sent);
    const response = await portalApiOf(this.#webhooks, tenant)(request);
    const text = `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
    return ids === undefined ? text : withoutIds(text, ids);
  }

  #checkTexts(tenant: string, where: string, text: string): void {
    for (const other of ['', ...this.#names]) {
      if (other !== tenant && text.includes(markOf(other)))
        this.#cross(`${tenant} reads ${other} in ${where}`);
    }
  }

  #nameAt(index: number): string {
    return this.#names[index % this.#names.length] ?? '';
  }

  #count(what: string, times = 1): void {
    this.#tried.set(what, (this.#tried.get(what) ?? 0) + times);
  }

  #cross(what: string): void {
    this.#crossings.push(what);
  }
}
