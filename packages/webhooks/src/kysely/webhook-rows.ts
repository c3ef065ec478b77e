import type { Selectable } from 'kysely';
import type { Webhook } from '../storage/records.ts';
import type { NewWebhook, WebhookChange, WebhookQuery } from '../storage/storage.ts';
import { jsonArrayOf } from './json-array.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables, WebhookTable } from './tables.ts';

const WEBHOOK_COLUMNS = [
  'id',
  'url',
  'description',
  'events',
  'is_active',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export function createWebhook({ write }: TableAccess, webhook: NewWebhook): Promise<Webhook> {
  return write(async (tables) => {
    const row = await tables
      .insertInto('webhooks')
      .values({
        url: webhook.url,
        secret: webhook.secret,
        description: webhook.description,
        events: JSON.stringify(webhook.events),
        is_active: webhook.isActive ? 1 : 0,
        created_by: webhook.createdBy,
        created_at: webhook.createdAt,
        updated_at: webhook.createdAt,
      })
      .returning(WEBHOOK_COLUMNS)
      .executeTakeFirstOrThrow();
    await insertPatterns(tables, row.id, webhook.events);
    return webhookOf(row);
  });
}

export function findWebhook({ read }: TableAccess, id: number): Promise<Webhook | undefined> {
  return read(async (tables) => {
    const row = await tables
      .selectFrom('webhooks')
      .select(WEBHOOK_COLUMNS)
      .where('id', '=', id)
      .where('is_removed', '=', 0)
      .executeTakeFirst();
    return row && webhookOf(row);
  });
}

export function listWebhooks(
  { read, dialect }: TableAccess,
  query: WebhookQuery,
): Promise<{ webhooks: Webhook[]; total: number }> {
  return read(async (tables) => {
    let matching = tables.selectFrom('webhooks').where('is_removed', '=', 0);
    const { search, isActive } = query;
    if (search !== undefined && search !== '') {
      matching = matching.where((where) =>
        where.or([
          dialect.containsText(where.ref('url'), search),
          dialect.containsText(where.ref('description'), search),
        ]),
      );
    }
    if (isActive !== undefined) matching = matching.where('is_active', '=', isActive ? 1 : 0);

    const { total } = await matching
      .select((count) => count.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await matching
      .select(WEBHOOK_COLUMNS)
      .orderBy(query.sort, query.order)
      .orderBy('id', query.order)
      .limit(query.limit)
      .offset(query.offset)
      .execute();
    return { webhooks: rows.map(webhookOf), total: Number(total) };
  });
}

export function updateWebhook(
  { write }: TableAccess,
  id: number,
  change: WebhookChange,
): Promise<Webhook | undefined> {
  const { url, description, events, isActive, updatedAt } = change;
  return write(async (tables) => {
    const row = await tables
      .updateTable('webhooks')
      .set({
        updated_at: updatedAt,
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(events !== undefined && { events: JSON.stringify(events) }),
        ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      })
      .where('id', '=', id)
      .where('is_removed', '=', 0)
      .returning(WEBHOOK_COLUMNS)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (events !== undefined) {
      await tables.deleteFrom('webhook_patterns').where('webhook_id', '=', id).execute();
      await insertPatterns(tables, row.id, events);
    }
    return webhookOf(row);
  });
}

async function insertPatterns(tables: Tables, webhookId: number, events: readonly string[]): Promise<void> {
  const rows = [...new Set(events)].map((pattern) => ({ pattern, webhook_id: webhookId }));
  if (rows.length > 0) await tables.insertInto('webhook_patterns').values(rows).execute();
}

function webhookOf(row: Pick<Selectable<WebhookTable>, (typeof WEBHOOK_COLUMNS)[number]>): Webhook {
  return {
    // Drivers differ: a host may have asked its own for BigInt or text.
    id: Number(row.id),
    url: row.url,
    description: row.description,
    events: jsonArrayOf<string>(row.events),
    isActive: Number(row.is_active) === 1,
    createdBy: Number(row.created_by),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
