// Sessions and deliveries in one SQLite database, through the driver that the runtime brings; prints what passed.
import assert from 'node:assert/strict';
import { createAuth, createSessions } from '@acme/auth';
import { kyselySessionStore, migrateAuth } from '@acme/auth/kysely';
import { createWebhooks } from '@acme/webhooks';
import { kyselyStorage, migrateWebhooks } from '@acme/webhooks/kysely';
import { createTestReceiver } from '@acme/webhooks/testing';
import { Kysely, SqliteDialect } from 'kysely';

const db = new Kysely({ dialect: new SqliteDialect({ database: await openDatabase() }) });
await migrateAuth(db);
await migrateWebhooks(db);
console.log('migrations');

const sessions = createSessions({
  auth: createAuth({ signingKey: 'a-key-for-this-test-alone-32-bytes-or-more' }),
  store: kyselySessionStore(db),
  verifyCredentials: async () => ({ uid: '7' }),
  loadUser: async () => ({ scopes: [] }),
});
await sessions.start();
const login = await sessions.handler(
  new Request('http://127.0.0.1/api/admin/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'ada', password: 'a password' }),
  }),
);
assert.ok(login.status < 300, String(login.status));
console.log('log-in');

const receiver = await createTestReceiver();
const webhooks = createWebhooks({
  storage: kyselyStorage(db),
  egress: { allowedAddresses: ['127.0.0.1/32'] },
});
await webhooks.start();
const { secret } = await webhooks.create({ url: receiver.url, events: ['order.*'] });
const dispatch = (transaction) => webhooks.dispatch('order.created', { id: 7 }, { transaction });
await db.transaction().execute(dispatch);
await assert.rejects(
  db.transaction().execute(async (transaction) => {
    await dispatch(transaction);
    throw new Error('rolled back');
  }),
  /rolled back/,
);
await webhooks.drain();
assert.equal(receiver.requests.length, 1);
await receiver.requests[0].verify(secret);
console.log('dispatch in a transaction and deliver');
await webhooks.close();
await receiver.close();
await db.destroy();

/** A database in memory, in the shape that Kysely takes. */
async function openDatabase() {
  if (process.versions.bun) return fromBun(new (await import('bun:sqlite')).Database(':memory:'));
  const node = await import('node:sqlite').catch(() => undefined);
  if (node) return fromNode(new node.DatabaseSync(':memory:'));
  return new (await import('libsql')).default(':memory:');
}

function fromNode(database) {
  const prepare = (text) => {
    const statement = database.prepare(text);
    const reader = statement.columns().length > 0;
    return {
      reader,
      all: (parameters) => statement.all(...parameters),
      run: (parameters) => statement.run(...parameters),
      iterate: (parameters) => statement.iterate(...parameters),
    };
  };
  return { prepare, close: () => database.close() };
}

function fromBun(database) {
  const prepare = (text) => {
    const statement = database.prepare(text);
    return {
      reader: statement.columnNames.length > 0,
      all: (parameters) => statement.all(...parameters),
      run: (parameters) => statement.run(...parameters),
      iterate: (parameters) => statement.iterate(...parameters),
    };
  };
  return { prepare, close: () => database.close() };
}
