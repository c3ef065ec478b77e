import { randomBytes } from 'node:crypto';
import type { InsertObject } from 'kysely';
import type { DispatchRecord } from '../storage/storage.ts';
import type { WebhookDialect } from './dialect.ts';
import {
  type InsertedDelivery,
  MAX_BYTES_PER_STATEMENT,
  MAX_ROWS_PER_STATEMENT,
} from './inserted-delivery.ts';
import type { Tables, WebhookTables } from './tables.ts';

/** Patterns or ids that one statement looks up. */
const MAX_LOOKED_UP = 1_000;

/**
 * Looks up the subscribers of all dispatches at once and writes their deliveries together. For a database across a
 * network, where the number of statements is what a dispatch costs.
 *
 * The webhooks are kept from being removed until the transaction ends, as the foreign key would: one that is removed at
 * the same time either gets deliveries, which go with it, or none. Rows of webhooks that are not looked up by id are
 * not locked, so that a host's transaction does not hold up registrations on a database that locks gaps.
 */
export async function insertByValues(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
  isCounted: boolean,
): Promise<InsertedDelivery[][]> {
  const { subscribersOf, present } = await findSubscribers(tables, dialect, dispatches);
  const inserted: InsertedDelivery[][] = [];
  let rows: InsertObject<WebhookTables, 'webhook_deliveries'>[] = [];
  let bytes = 0;
  const flush = async () => {
    if (rows.length > 0) await tables.insertInto('webhook_deliveries').values(rows).execute();
    [rows, bytes] = [[], 0];
  };
  for (const dispatch of dispatches) {
    const { event, payload, createdAt } = dispatch;
    const payloadBytes = Buffer.byteLength(payload);
    const deliveries = subscribersOf(dispatch.target).map((webhookId) => ({
      ...{ webhookId, deliveryId: randomBytes(16).toString('hex') },
    }));
    for (const { webhookId, deliveryId } of deliveries) {
      const isFull = rows.length >= MAX_ROWS_PER_STATEMENT || bytes + payloadBytes > MAX_BYTES_PER_STATEMENT;
      if (isFull) await flush();
      rows.push({
        ...{ webhook_id: webhookId, delivery_id: deliveryId, event, payload, created_at: createdAt },
        ...{ next_attempt_at: present, turn_at: present, is_counted: isCounted ? 1 : 0 },
      });
      bytes += payloadBytes;
    }
    inserted.push(deliveries);
  }
  await flush();
  return inserted;
}

type Target = DispatchRecord['target'];

interface Subscribers {
  /** In ascending order of id. */
  subscribersOf(target: Target): number[];
  /** By the database's clock. */
  readonly present: string;
}

/** Finds the active webhooks of all targets. */
async function findSubscribers(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
): Promise<Subscribers> {
  const patterns = new Set(dispatches.flatMap(({ target }) => ('patterns' in target ? target.patterns : [])));
  const byPattern = await webhooksByPattern(tables, [...patterns]);
  const candidates = (target: Target) =>
    'webhookId' in target
      ? [target.webhookId]
      : [...new Set(target.patterns.flatMap((pattern) => byPattern.get(pattern) ?? []))];
  const all = new Set(dispatches.flatMap(({ target }) => candidates(target)));
  const { active, present } = await keepActive(tables, dialect, [...all]);
  return {
    subscribersOf: (target) =>
      candidates(target)
        .filter((id) => active.has(id))
        .sort((a, b) => a - b),
    present,
  };
}

async function webhooksByPattern(
  tables: Tables,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = new Map<string, number[]>();
  for (let start = 0; start < patterns.length; start += MAX_LOOKED_UP) {
    const rows = await tables
      .selectFrom('webhook_patterns')
      .select(['pattern', 'webhook_id'])
      .where('pattern', 'in', patterns.slice(start, start + MAX_LOOKED_UP))
      .execute();
    for (const { pattern, webhook_id } of rows) {
      const ids = found.get(pattern);
      if (ids === undefined) found.set(pattern, [Number(webhook_id)]);
      else ids.push(Number(webhook_id));
    }
  }
  return found;
}

async function keepActive(
  tables: Tables,
  dialect: WebhookDialect,
  ids: number[],
): Promise<{ readonly active: ReadonlySet<number>; readonly present: string }> {
  const active = new Set<number>();
  let present = '';
  ids.sort((a, b) => a - b);
  for (let start = 0; start < ids.length; start += MAX_LOOKED_UP) {
    const rows = await tables
      .selectFrom('webhooks')
      .select(['id', dialect.timestamp(Date.now()).as('present')])
      .where('id', 'in', ids.slice(start, start + MAX_LOOKED_UP))
      .where('is_active', '=', 1)
      .orderBy('id')
      .modifyEnd(dialect.locks.kept)
      .execute();
    for (const row of rows) {
      active.add(Number(row.id));
      present = row.present;
    }
  }
  return { active, present };
}
