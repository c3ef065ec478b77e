import { inspect } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { HOOK_URL, startAdmin } from '../admin/admin-harness.ts';
import { createTestEngine } from '../engine/engine.ts';
import { startRecipient } from '../engine/recipient.ts';
import { databaseServers } from '../kysely/database-servers.ts';

const servers = databaseServers.filter(({ clock }) => clock === 'database');
/** SQLSTATE check_violation of PostgreSQL, and what MariaDB or MySQL call it. */
const isRefusal = ({ code, errno }: { readonly code?: unknown; readonly errno?: unknown }) =>
  code === '23514' || errno === 4025 || errno === 3819;
/**
 * Everything of a value: what a host's logger may print of it, hidden members and causes included.
 */
const everythingOf = (value: unknown) =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });

describe.each(servers)('a webhook whose write $name refuses', ({ skipped, create }) => {
  async function openStorage(condition: string) {
    const database: TestDatabase = await create();
    onTestFinished(() => database.remove());
    const db = database.open();
    await migrateWebhooks(db);
    return {
      storage: kyselyStorage(db),
      refuseWrites: () =>
        sql`alter table webhooks add constraint refused check (${sql.raw(condition)})`.execute(db),
    };
  }

  it.skipIf(skipped).each([
    ['an update', 'PUT', '/1', { description: 'refused' }],
    ['a rotation', 'POST', '/1/rotate-secret', undefined],
    ['a registration', 'POST', '', { url: HOOK_URL, description: 'refused' }],
  ])('shows no secret in the log or the answer of %s', async (_, method, path, body) => {
    const { storage, refuseWrites } = await openStorage(
      "description <> 'refused' and previous_secret is null",
    );
    const logged: object[] = [];
    const log = (fields: object, message: string) => void logged.push({ ...fields, message });
    const { call } = startAdmin({ storage, logger: { debug: log, info: log, warn: log, error: log } });
    const { json: webhook } = await call('POST', '', { body: { url: HOOK_URL } });
    await refuseWrites();

    const answer = await call(method, path, body === undefined ? {} : { body });

    expect(answer).toMatchObject({ status: 503, json: { code: 'storage_unavailable' } });
    expect(logged).toMatchObject([
      {
        message: 'admin API request failed',
        code: 'storage_unavailable',
        error: { cause: expect.toSatisfy(isRefusal) },
      },
    ]);
    const told = everythingOf([logged, answer]);
    // Not `toContain`, which prints all of it.
    expect(told.includes('whsec_') || told.includes(webhook.secret.slice(6))).toBe(false);
  });

  it.skipIf(skipped)('shows no secret to the log, to onError and to callers of the engine', async () => {
    const { storage, refuseWrites } = await openStorage('is_active = 1 and previous_secret is null');
    const logged: object[] = [];
    const log = (fields: object, message: string) => void logged.push({ ...fields, message });
    const recipient = await startRecipient((_request, response) => response.writeHead(410).end());
    onTestFinished(() => recipient.close());
    const logger = { debug: log, info: log, warn: log, error: log };
    const { webhooks, errors } = createTestEngine(storage, { logger, disableOnGone: true });
    onTestFinished(() => webhooks.close());
    const { id, secret } = await webhooks.create({ url: recipient.url });
    await refuseWrites();
    await webhooks.start();

    await webhooks.dispatch('user.created', {});
    await expect.poll(() => errors).not.toEqual([]);
    const refused = await webhooks.rotateSecret(id).catch((error: unknown) => error);

    expect(errors[0]).toMatchObject({ code: 'storage_unavailable', cause: expect.toSatisfy(isRefusal) });
    expect(refused).toMatchObject({ code: 'storage_unavailable', cause: expect.toSatisfy(isRefusal) });
    const told = everythingOf([logged, errors, refused]);
    expect(told.includes('whsec_') || told.includes(secret.slice(6))).toBe(false);
  });
});
