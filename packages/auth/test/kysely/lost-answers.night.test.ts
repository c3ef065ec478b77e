import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { behindNetwork, untilLost } from '../../../../test/services/behind-network.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import {
  kyselyLoginFailures,
  kyselyOneTimeTokenStore,
  kyselySessionStore,
  migrateAuth,
} from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { databaseServers } from './database-servers.ts';
import { CALLS, KEY, LONG_AGO, ONE_TIME_TOKEN } from './store-calls.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

const COUNT = { key: 'k', failures: 1, underWay: 0 };
const EVERY_CALL: readonly (readonly [string, (db: Kysely<AuthTables>) => Promise<unknown>])[] = [
  ...CALLS.filter(([name]) => name !== 'migrateAuth').map(([name, call]) => [name, call] as const),
  ['login failures: add', (db) => kyselyLoginFailures(db).add([COUNT], 301)],
  ['login failures: forget', (db) => kyselyLoginFailures(db).forget('k')],
];

/** What the calls find. */
async function prepare(db: Kysely<AuthTables>, name: string): Promise<void> {
  if (name !== 'sessions: create') await kyselySessionStore(db).create(LONG_AGO);
  if (name !== 'API keys: add') await kyselyApiKeyStore(db).add(KEY);
  await kyselyOneTimeTokenStore(db).issue(ONE_TIME_TOKEN);
  if (!name.endsWith('add')) await kyselyLoginFailures(db).add([COUNT], 301);
}

describe.each(servers)('on $name, behind a network that loses answers', ({ create, skipped }) => {
  test.skipIf(skipped).each(EVERY_CALL)(
    'a call fails in time whichever answer is lost, and gives its connection back: %s',
    async (name, call) => {
      const first = await behindNetwork(create, migrateAuth);
      await prepare(first.direct, name);
      first.executed.length = 0;
      await call(first.direct);
      const statements = new Set(first.executed);
      expect(statements.size).toBeGreaterThan(0);
      let lost = 0;
      // It looks whether the session is there: see lost-answers.test.ts.
      if (name === 'sessions: create') statements.delete('commit');
      for (const statement of statements) {
        const { network, db, direct } = await behindNetwork(create, migrateAuth);
        await prepare(direct, name);
        // In pg's protocol the length before the text may be a letter, too.
        network.swallow(new RegExp(`^(?!.* as identity).*${statement}\\b`, 's'));
        const outcome = await untilLost(network, () => call(db)).catch((error: unknown) => error);
        // What a store does behind its calls is logged among their statements, too.
        if (network.swallowed === 0) continue;
        lost += 1;
        expect(outcome, statement).toMatchObject({ code: 'unavailable' });
        await expect(
          kyselySessionStore(db).list({ uid: 'x', instance: 'x', now: 0, limit: 1 }),
        ).resolves.toEqual([]);
      }
      expect(lost).toBeGreaterThan(0);
    },
  );
});
