import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';
import type { TestDatabase } from '../test-database.ts';

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)('an idle process on $name', ({ clock, skipped, create }) => {
  test.skipIf(skipped)('reads what is due and locks nothing, and claims what it finds', async () => {
    const database = await create();
    databases.push(database);
    const statements: string[] = [];
    const db = database.open({ log: ({ query }) => void statements.push(query.sql) });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const claim = async () => {
      statements.length = 0;
      return storage.claimDueDeliveries({
        now: Date.now() + 60_000,
        limit: 50,
        leaseMs: 1_000,
        maxAttempts: 4,
        claimToken: 'token',
        maxPerWebhook: 10,
        inFlight: new Map(),
      });
    };
    expect(await claim()).toEqual([]);
    for (let sweep = 0; sweep < 3; sweep++) {
      expect(await claim()).toEqual([]);
      const inTransaction = /^(begin|start transaction|set transaction|commit|select set_config)/;
      const others = statements.filter((statement) => !inTransaction.test(statement));
      expect(others).toEqual([expect.stringMatching(/^select (?!.* for update)/)]);
      if (clock === 'caller') expect(statements).toEqual(others);
    }
    const createdAt = new Date().toISOString();
    await storage.createWebhook({
      url: 'https://a.example/',
      secret: 's',
      description: '',
      events: ['*'],
      isActive: true,
      createdBy: 0,
      createdAt,
    });
    await storage.recordDispatches([
      { event: 'order.paid', payload: '{}', createdAt, target: { patterns: ['*'] } },
    ]);
    expect(await claim()).toHaveLength(1);
  });
});
