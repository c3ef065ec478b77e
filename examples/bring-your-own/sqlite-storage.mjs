import { claimMethods } from './claim-methods.mjs';
import { dispatchMethods } from './dispatch-methods.mjs';
import { historyMethods } from './history-methods.mjs';
import { retentionMethods } from './retention-methods.mjs';
import { createTables } from './schema.mjs';
import { webhookMethods } from './webhook-methods.mjs';

/**
 * A `WebhookStorage` on the application's own SQLite connection, in SQL alone. Processes of one
 * machine may share the file.
 *
 * The driver is synchronous, and each method is one transaction: no other call of this process
 * comes in between, and no other process writes meanwhile. What the interface calls atomic is so.
 */
export function sqliteStorage(db) {
  createTables(db);
  const writing = {
    ...webhookMethods(db),
    ...dispatchMethods(db),
    ...claimMethods(db),
    ...retentionMethods(db),
  };
  return {
    ...inTransactions(historyMethods(db), (method) => db.transaction(method).deferred),
    ...inTransactions(writing, (method) => db.transaction(method).immediate),
  };
}

function inTransactions(methods, wrap) {
  const asynchronous = Object.entries(methods).map(([name, method]) => {
    const run = wrap(method);
    return [name, async (...args) => run(...args)];
  });
  return Object.fromEntries(asynchronous);
}
