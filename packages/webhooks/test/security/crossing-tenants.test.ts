import { expect, it } from 'vitest';
import { proveTenants } from '../../prove/tenants/prove-tenants.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { databaseServers } from '../kysely/database-servers.ts';

const servers = databaseServers.filter(({ skipped }) => skipped === undefined);

// The short form of `npm run prove -- tenants`.
it.each(servers)('no tenant reaches, reads or changes anything of another on $name', async ({ create }) => {
  const database = await create();
  try {
    const db = database.open();
    await migrateWebhooks(db);
    const verdict = await proveTenants(db, { tenants: 4, rounds: 2 });
    expect(verdict).toMatchObject({ crossings: [], lost: 0, duplicates: 1, holds: true });
    expect(verdict.tried).toMatchObject({ events: 92, 'keys again': 45, 'removals beside deliveries': 1 });
  } finally {
    await database.remove();
  }
});
