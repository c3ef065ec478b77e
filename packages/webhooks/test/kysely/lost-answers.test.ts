import { describe, test } from 'vitest';
import { databaseServers } from './database-servers.ts';
import { loseAnswer, STORAGE_CALLS } from './lost-answers-contract.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('on $name, behind a network that loses answers', (server) => {
  test.skipIf(server.skipped).each([
    ['dispatch', 'insert'],
    ['claim', 'select'],
    // One statement on PostgreSQL, and a transaction elsewhere.
    ['result', server.name === 'PostgreSQL' ? 'update' : 'commit'],
  ])(
    'a %s fails in time after a lost answer to %s, and gives its connection back',
    async (name, statement) => {
      await loseAnswer(server, STORAGE_CALLS[name] ?? { run: async () => {} }, statement);
    },
  );
});
