import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CompiledQuery, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BundledPrograms, bundlePrograms } from '../../../../test/processes/bundled-programs.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import type { ConnectedHost, TransactionHost } from '../../../../test/transactions/transaction-host.ts';
import { transactionHosts } from '../../../../test/transactions/transaction-hosts.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { type DatabaseServer, databaseServers } from '../kysely/database-servers.ts';
import { HOST_VARIABLE, type HostSettings, INSERT_ORDER, ORDER } from './host-settings.ts';

/** A process starts and loads a library: on a busy machine both take their time. */
const PATIENCE_MS = 120_000;

const KILLED_HOST = new URL('./killed-host.ts', import.meta.url).href;
let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms([KILLED_HOST, ...transactionHosts.map((host) => host.module)]);
});
afterAll(() => programs.remove());

const SERVERS = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL or MariaDB' } as const;

const cases = transactionHosts.flatMap((host) =>
  host.databases.map((database) => ({ host, server: serverOf(SERVERS[database]) })),
);

function serverOf(name: string): DatabaseServer {
  const server = databaseServers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`there is no ${name}`);
  return server;
}

describe.each(cases)('an event in a transaction of $host.name on $server.name', ({ host, server }) => {
  const it = test.skipIf(server.skipped);
  const closing: (() => Promise<unknown>)[] = [];
  let app: Application;

  beforeEach(async () => {
    if (server.skipped !== undefined) return;
    app = await application(host, server, closing);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('is delivered with what the host wrote when the transaction commits', async () => {
    const { webhooks, connected } = app;
    await webhooks.start();
    await connected.transaction(async ({ transaction, run }) => {
      await run(INSERT_ORDER);
      const written = await webhooks.dispatch('order.created', ORDER, { transaction });
      expect(written).toEqual({ deliveries: 1, repeated: false });
      expect(await app.eventsAfterDrain()).toEqual([]);
    });
    expect(await app.eventsAfterDrain()).toEqual(['order.created']);
    expect(JSON.parse(app.target.received[0]?.body ?? '')).toMatchObject({ data: ORDER });
    expect(await app.orders()).toEqual([ORDER]);
    expect(app.errors).toEqual([]);
  });

  it('is not sent when the transaction rolls back, and leaves no key', async () => {
    const { webhooks, connected } = app;
    await webhooks.start();
    const key = { idempotencyKey: 'order-7' };
    const failing = connected.transaction(async ({ transaction, run }) => {
      await run(INSERT_ORDER);
      const written = await webhooks.dispatch('order.created', ORDER, { transaction, ...key });
      expect(written).toEqual({ deliveries: 1, repeated: false });
      throw new Error('out of stock');
    });
    await expect(failing).rejects.toThrow('out of stock');
    expect(await app.eventsAfterDrain()).toEqual([]);
    expect(await app.orders()).toEqual([]);
    expect(await webhooks.dispatch('order.created', ORDER, key)).toMatchObject({ repeated: false });
  });

  it('is written once, however often a key is repeated', async () => {
    const { webhooks, connected } = app;
    const key = { idempotencyKey: 'order-7' };
    const [first, second] = await connected.transaction(({ transaction }) =>
      // At once: the driver may take one statement at a time.
      Promise.all([
        webhooks.dispatch('order.created', ORDER, { transaction, ...key }),
        webhooks.dispatch('order.created', ORDER, { transaction, ...key }),
      ]),
    );
    expect([first, second]).toEqual([
      { deliveries: 1, repeated: false },
      { deliveries: 0, repeated: true },
    ]);
    const later = await connected.transaction(({ transaction }) =>
      webhooks.dispatch('order.created', ORDER, { transaction, ...key }),
    );
    expect(later).toEqual({ deliveries: 0, repeated: true });
    expect(await app.deliveries()).toBe(1);
  });

  // SQLite has one writer: no two transactions bring one key at once.
  test.runIf(server.clock === 'database' && server.skipped === undefined)(
    'is a repeat where another transaction has just brought the key',
    async () => {
      const { webhooks, connected } = app;
      const key = { idempotencyKey: 'order-7' };
      let late: Promise<unknown> = Promise.resolve();
      await connected.transaction(async ({ transaction }) => {
        await webhooks.dispatch('order.created', ORDER, { transaction, ...key });
        late = connected.transaction((other) =>
          webhooks.dispatch('order.created', ORDER, { transaction: other.transaction, ...key }),
        );
        late.catch(() => undefined);
        await app.lockWait();
      });
      expect(await late).toEqual({ deliveries: 0, repeated: true });
      expect(await app.deliveries()).toBe(1);
    },
  );

  it('is refused where the transaction is of another database', async () => {
    const other = await application(host, server, closing);
    const dispatched = other.connected.transaction(({ transaction }) =>
      app.webhooks.dispatch('order.created', ORDER, { transaction }),
    );
    await expect(dispatched).rejects.toMatchObject({
      code: 'invalid_options',
      message: 'transaction: the transaction is on another database than the store',
    });
    expect([await app.deliveries(), await other.deliveries()]).toEqual([0, 0]);
  });

  it('says what to run where the tables are missing, as the library spells it', async () => {
    const webhooks = await app.withoutTables();
    const dispatched = app.connected.transaction(({ transaction }) =>
      webhooks.dispatch('order.created', ORDER, { transaction, idempotencyKey: 'order-7' }),
    );
    await expect(dispatched).rejects.toThrow(/run migrateWebhooks\(db\)/);
  });

  it('is refused where there is no transaction', async () => {
    expect(() => app.connected.withoutTransaction()).toThrow(TypeError);
  });

  it(
    'is delivered when the process is killed right after the commit, and is never sent when right before',
    async () => {
      const { webhooks } = app;
      await killHost({ host: programs.urlOf(host.module), url: app.url, killed: 'before the commit' });
      await webhooks.start();
      expect(await app.eventsAfterDrain()).toEqual([]);
      expect([await app.orders(), await app.deliveries()]).toEqual([[], 0]);
      await killHost({ host: programs.urlOf(host.module), url: app.url, killed: 'after the commit' });
      await expect.poll(() => app.eventsAfterDrain(), { timeout: PATIENCE_MS }).toEqual(['order.created']);
      expect(await app.orders()).toEqual([ORDER]);
    },
    3 * PATIENCE_MS,
  );
});

interface Application {
  readonly url: string;
  readonly webhooks: ReturnType<typeof engineOn>;
  readonly connected: ConnectedHost;
  readonly target: Recipient;
  readonly errors: readonly unknown[];
  /** The events that have arrived once nothing is due any more. */
  eventsAfterDrain(): Promise<unknown[]>;
  orders(): Promise<unknown[]>;
  deliveries(): Promise<number>;
  /** An engine that has never seen the tables: they are dropped. */
  withoutTables(): Promise<ReturnType<typeof engineOn>>;
  /** Resolves once a transaction waits for a lock. */
  lockWait(): Promise<void>;
}

/** An application with a webhook, whose orders are in the database of its library. */
async function application(
  host: TransactionHost,
  server: DatabaseServer,
  closing: (() => Promise<unknown>)[],
): Promise<Application> {
  const database = await server.create();
  closing.push(() => database.remove());
  const db = openPatient(database);
  await migrateWebhooks(db);
  await db.schema.createTable('orders').addColumn('id', 'integer').execute();
  const connected = await host.connect(database.url);
  closing.push(() => connected.close());
  const target = await startRecipient();
  closing.push(() => target.close());
  const errors: unknown[] = [];
  const webhooks = engineOn(db, errors);
  closing.push(() => webhooks.close());
  const { id } = await webhooks.create({ url: target.url });
  return {
    url: database.url,
    webhooks,
    connected,
    target,
    errors,
    async eventsAfterDrain() {
      await webhooks.drain();
      return target.received.map(({ headers }) => headers['x-webhook-event']);
    },
    orders: () => db.selectFrom('orders').selectAll().execute(),
    deliveries: async () => (await webhooks.get(id)).stats.total,
    async withoutTables() {
      for (const name of ['webhook_idempotency_keys', 'webhook_patterns']) {
        await db.schema.dropTable(name).execute();
      }
      return engineOn(db, errors);
    },
    lockWait: () => lockWaitOn(db, server.name),
  };
}

function engineOn(db: Kysely<{ orders: typeof ORDER }>, errors: unknown[]) {
  return createWebhooks({
    storage: kyselyStorage(db),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    sweepIntervalMs: 100,
    onError: (error) => void errors.push(error),
  });
}

/** A connection that waits for the host's open transaction, where there is one writer. */
function openPatient(database: TestDatabase): Kysely<{ orders: typeof ORDER }> {
  return database.open({
    ...(database.url.startsWith('sqlite:') && { onConnect: 'pragma busy_timeout = 5000' }),
  });
}

/** Servers: how many connections to this database wait for a lock. */
const LOCK_WAITS: Readonly<Record<string, string>> = {
  PostgreSQL: `select count(*) as n from pg_locks
    join pg_stat_activity using (pid) where not granted and query like '%webhook_idempotency_keys%'`,
  'MySQL or MariaDB': `select count(*) as n from information_schema.processlist
    where db = database() and info like 'insert into %webhook_idempotency_keys%'`,
};

async function lockWaitOn(db: Kysely<{ orders: typeof ORDER }>, server: string): Promise<void> {
  const query = CompiledQuery.raw(LOCK_WAITS[server] ?? '') as CompiledQuery<{ n: unknown }>;
  await expect
    .poll(async () => Number((await db.executeQuery(query)).rows[0]?.n), { timeout: PATIENCE_MS })
    .toBeGreaterThan(0);
}

async function killHost(settings: HostSettings): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(programs.urlOf(KILLED_HOST))], {
    env: { ...process.env, [HOST_VARIABLE]: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += String(chunk);
  });
  const [, signal] = await once(child, 'close');
  expect([signal, errors]).toEqual(['SIGKILL', '']);
}
