import { describe, expect, onTestFinished, test } from 'vitest';
import { createNarrowRole } from '../../../../test/services/narrow-role.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { COLUMNS } from '../../src/kysely/tables.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { startRecipient } from '../engine/recipient.ts';
import { databaseServers } from '../kysely/database-servers.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('on $name, a role with few privileges', ({ skipped, createEmpty }) => {
  const it = test.skipIf(skipped);

  async function open() {
    const database: TestDatabase = await createEmpty();
    onTestFinished(() => database.remove());
    const role = await createNarrowRole(database);
    onTestFinished(() => role.remove());
    return { owner: database.open<unknown>(), db: role.open<unknown>(), role };
  }

  function engineOn(db: Parameters<typeof kyselyStorage>[0]) {
    const webhooks = createWebhooks({
      storage: kyselyStorage(db),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      sweepIntervalMs: 100,
    });
    onTestFinished(() => webhooks.close());
    return webhooks;
  }

  it('runs everything but migrations where it may read and write', async () => {
    const { owner, db, role } = await open();
    await migrateWebhooks(owner);
    await role.grant('select, insert, update, delete');
    expect(await migrateWebhooks(db)).toEqual([]);
    const recipient = await startRecipient();
    onTestFinished(() => recipient.close());
    const webhooks = engineOn(db);
    const { id } = await webhooks.create({ url: recipient.url });
    await webhooks.start();
    const key = { idempotencyKey: 'order-7' };
    expect(await webhooks.dispatch('order.created', { id: 7 }, key)).toMatchObject({ deliveries: 1 });
    expect(await webhooks.dispatch('order.created', { id: 7 }, key)).toMatchObject({ repeated: true });
    await db
      .transaction()
      .execute((transaction) => webhooks.dispatch('order.created', { id: 8 }, { transaction }));
    await webhooks.drain();
    expect(recipient.received).toHaveLength(2);
    const { deliveries } = await webhooks.deliveries(id);
    await webhooks.redeliver(id, deliveries[0]?.deliveryId ?? '');
    await webhooks.drain();
    expect(recipient.received).toHaveLength(3);
    await webhooks.rotateSecret(id);
    await webhooks.update(id, { description: 'narrow' });
    expect(await webhooks.health()).toMatchObject({ status: 'ok', reasons: [], lastError: null });
    await webhooks.delete(id);
    expect(await webhooks.dispatch('order.created', { id: 9 })).toMatchObject({ deliveries: 0 });
  });

  it.each(Object.keys(COLUMNS))(
    'is refused at the start where it lacks a privilege on %s',
    async (lacking) => {
      const { owner, db, role } = await open();
      await migrateWebhooks(owner);
      await role.grantOn('webhook_migrations', 'select');
      for (const table of Object.keys(COLUMNS)) {
        await role.grantOn(table, table === lacking ? 'select' : 'select, insert, update, delete');
      }
      for (const privilege of ['insert', 'update', 'delete']) {
        const message = `lacks ${privilege.toUpperCase()} on the table ${lacking} `;
        await expect(engineOn(db).start()).rejects.toMatchObject({
          code: 'storage_misconfigured',
          message: expect.stringContaining(message),
        });
        await role.grantOn(lacking, privilege);
      }
      await engineOn(db).start();
    },
  );

  it('is told by health() where it may only read', async () => {
    const { owner, db, role } = await open();
    await migrateWebhooks(owner);
    await expect(engineOn(role.open()).start()).rejects.toMatchObject({
      message: expect.stringContaining('lacks SELECT on the table webhook_migrations '),
    });
    await role.grant('select');
    expect(await engineOn(db).health()).toMatchObject({
      status: 'unavailable',
      reasons: ['storage_not_writable'],
    });
  });

  it('is told which privileges a migration takes', async () => {
    const { db } = await open();
    await expect(migrateWebhooks(db)).rejects.toMatchObject({
      code: 'storage_misconfigured',
      message: expect.stringMatching(/run migrateWebhooks with a role that has .*CREATE/),
    });
  });
});
