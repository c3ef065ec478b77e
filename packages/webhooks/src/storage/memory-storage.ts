import { claimMethods } from './memory/claim-methods.ts';
import { dispatchMethods } from './memory/dispatch-methods.ts';
import { historyMethods, retentionMethods } from './memory/history-methods.ts';
import type { MemoryTables } from './memory/memory-tables.ts';
import { webhookMethods } from './memory/webhook-methods.ts';
import type { WebhookStorage } from './storage.ts';

/**
 * Keeps webhooks and deliveries in this process's memory, for tests and for trying out. Use
 * `kyselyStorage` in production.
 *
 * It keeps the promises of {@link WebhookStorage}, with one exception below, for as long as the
 * process lives: everything, undelivered events included, is lost with it, and no other process
 * sees any of it.
 *
 * It is made for 10,000 deliveries, with which a call takes about a millisecond. Most calls, counts
 * too, go over all deliveries: beyond 10,000 they take longer in proportion, and nothing is refused
 * or lost. The daily purge removes deliveries older than 30 days.
 */
export function memoryStorage(): WebhookStorage {
  const tables: MemoryTables = {
    webhooks: new Map(),
    deliveries: new Map(),
    idempotencyKeys: new Map(),
    claimedHours: [],
    backlogs: '',
    revision: 0,
  };
  // Each method runs to its end synchronously: no other call comes in between.
  return {
    ...webhookMethods(tables),
    ...dispatchMethods(tables),
    ...claimMethods(tables),
    ...historyMethods(tables),
    ...retentionMethods(tables),
  };
}
