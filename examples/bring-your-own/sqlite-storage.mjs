import { claimMethods } from './claim-methods.mjs';
import { readingMethods, retentionMethods } from './delivery-methods.mjs';
import { dispatchMethods } from './dispatch-methods.mjs';
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
  const parts = [webhookMethods, dispatchMethods, claimMethods, readingMethods, retentionMethods];
  const methods = parts.flatMap((part) => Object.entries(part(db)));
  const asynchronous = methods.map(([name, method]) => {
    const run = db.transaction(method).immediate;
    return [name, async (...args) => run(...args)];
  });
  return Object.fromEntries(asynchronous);
}
