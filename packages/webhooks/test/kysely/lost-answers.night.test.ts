import { describe, expect, test } from 'vitest';
import { databaseServers } from './database-servers.ts';
import { loseAnswer, STORAGE_CALLS, statementsOf } from './lost-answers-contract.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('on $name, behind a network that loses answers', (server) => {
  test.skipIf(server.skipped).each(Object.entries(STORAGE_CALLS))(
    'a %s fails in time whichever answer is lost, and gives its connection back',
    async (_, call) => {
      const statements = await statementsOf(server, call);
      expect(statements.size).toBeGreaterThan(0);
      for (const statement of statements) await loseAnswer(server, call, statement);
    },
  );
});
