import { type Selectable, sql } from 'kysely';
import { nextUpdatedAt } from '../../storage/next-updated-at.ts';
import type { Webhook } from '../../storage/records.ts';
import type {
  Deactivation,
  NewWebhook,
  PreviousSecretEnd,
  SecretRotation,
  WebhookChange,
  WebhookQuery,
} from '../../storage/webhook-requests.ts';
import { countWebhookChange } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { Tables, WebhookTable } from '../tables.ts';
import { isFailing } from './webhook-health.ts';
import { changePatterns, insertPatterns, readPatterns } from './webhook-patterns.ts';

const WEBHOOK_COLUMNS = [
  'id',
  'url',
  'description',
  'events',
  'is_active',
  'created_by',
  'created_by_uid',
  'created_at',
  'updated_at',
  'inactive_reason',
  'inactive_since',
  'previous_secret_expires_at',
] as const;

type WebhookRow = Pick<Selectable<WebhookTable>, (typeof WEBHOOK_COLUMNS)[number]>;

export function createWebhook({ write, dialect }: DatabaseAccess, webhook: NewWebhook): Promise<Webhook> {
  return write(async (tables) => {
    const row = {
      url: webhook.url,
      secret: webhook.secret,
      description: webhook.description,
      events: JSON.stringify(webhook.events),
      is_active: webhook.isActive ? 1 : 0,
      created_by: webhook.createdBy,
      created_by_uid: webhook.createdByUid,
      created_at: webhook.createdAt,
      updated_at: webhook.createdAt,
      inactive_since: webhook.isActive ? null : webhook.createdAt,
    };
    const id = await dialect.insertWebhook(tables, row);
    await insertPatterns(tables, id, webhook.events);
    await countWebhookChange(tables, dialect);
    return webhookOf({ ...row, id, inactive_reason: '', previous_secret_expires_at: null }, webhook.events);
  });
}

export function findWebhook({ read }: DatabaseAccess, id: number): Promise<Webhook | undefined> {
  return read((tables) => readWebhook(tables, id));
}

async function readWebhook(tables: Tables, id: number): Promise<Webhook | undefined> {
  const row = await tables
    .selectFrom('webhooks')
    .select(WEBHOOK_COLUMNS)
    .where('id', '=', id)
    .where('is_removed', '=', 0)
    .executeTakeFirst();
  return row && webhookOf(row, (await readPatterns(tables, [id])).get(id));
}

export function listWebhooks(
  { read, dialect }: DatabaseAccess,
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
    if (query.patterns !== undefined) {
      const subscribed = tables
        .selectFrom('webhook_patterns')
        .select('webhook_id')
        .where('pattern', 'in', query.patterns);
      matching = matching.where('id', 'in', subscribed);
    }
    if (query.isFailing !== undefined) {
      matching = matching.where(isFailing(), '=', query.isFailing ? 1 : 0);
    }

    const { total } = await matching
      .select((count) => count.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await matching
      .select(WEBHOOK_COLUMNS)
      .orderBy(query.sort === 'failing' ? isFailing() : sql.ref(query.sort), query.order)
      .orderBy('id', query.order)
      .limit(query.limit)
      .offset(query.offset)
      .execute();
    const ids = rows.map(({ id }) => Number(id));
    const patterns = await readPatterns(tables, ids);
    const webhooks = rows.map((row) => webhookOf(row, patterns.get(Number(row.id))));
    return { webhooks, total: Number(total) };
  });
}

/**
 * Locks the row for the rest of the transaction, and returns the time of the change that follows;
 * undefined where none is to be made.
 */
async function lockForChange(
  { dialect }: DatabaseAccess,
  tables: Tables,
  id: number,
  { updatedAt, expectedUpdatedAt }: Pick<WebhookChange, 'updatedAt' | 'expectedUpdatedAt'>,
): Promise<string | undefined> {
  const row = await tables
    .selectFrom('webhooks')
    .select('updated_at')
    .where('id', '=', id)
    .where('is_removed', '=', 0)
    .modifyEnd(dialect.locks.forNoKeyUpdate)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (expectedUpdatedAt !== undefined && row.updated_at !== expectedUpdatedAt) return undefined;
  return nextUpdatedAt(row.updated_at, updatedAt);
}

export function updateWebhook(
  access: DatabaseAccess,
  id: number,
  change: WebhookChange,
): Promise<Webhook | undefined> {
  const { url, description, events, isActive } = change;
  const isActivated = isActive === true ? sql`is_active = 0` : sql`1 = 0`;
  const beginsAnew = url === undefined ? isActivated : sql`(url <> ${url} or ${isActivated})`;
  return access.write(async (tables) => {
    const updatedAt = await lockForChange(access, tables, id, change);
    if (updatedAt === undefined) return undefined;
    await tables
      .updateTable('webhooks')
      .set({
        updated_at: updatedAt,
        // These two before `url` and `is_active`: MySQL reads columns that were set earlier in the
        // statement with their new values.
        activations: sql<number>`activations + case when ${beginsAnew} then 1 else 0 end`,
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(events !== undefined && { events: JSON.stringify(events) }),
        ...(isActive === true && { inactive_reason: '', inactive_since: null }),
        ...(isActive === false && {
          inactive_since: sql<
            string | null
          >`case when is_active = 1 then ${updatedAt} else inactive_since end`,
        }),
        ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      })
      .where('id', '=', id)
      .execute();
    if (events !== undefined) await changePatterns(tables, id, events);
    await countWebhookChange(tables, access.dialect);
    return readWebhook(tables, id);
  });
}

export function deactivateWebhook(
  access: DatabaseAccess,
  id: number,
  deactivation: Deactivation,
): Promise<boolean> {
  const { activation, reason } = deactivation;
  return access.write(async (tables) => {
    const updatedAt = await lockForChange(access, tables, id, deactivation);
    if (updatedAt === undefined) return false;
    const { numUpdatedRows } = await tables
      .updateTable('webhooks')
      .set({ is_active: 0, inactive_reason: reason, inactive_since: updatedAt, updated_at: updatedAt })
      .where('id', '=', id)
      .where('is_active', '=', 1)
      .where('activations', '=', activation)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await countWebhookChange(tables, access.dialect);
    return true;
  });
}

export function rotateSecret(
  access: DatabaseAccess,
  id: number,
  rotation: SecretRotation,
): Promise<Webhook | undefined> {
  const { secret, previousSecretExpiresAt } = rotation;
  return access.write(async (tables) => {
    const updatedAt = await lockForChange(access, tables, id, rotation);
    if (updatedAt === undefined) return undefined;
    await tables
      .updateTable('webhooks')
      .set((webhook) => ({
        // Before `secret`: MySQL reads columns that were set earlier in the statement with their
        // new values.
        previous_secret: webhook.ref('secret'),
        previous_secret_expires_at: previousSecretExpiresAt,
        secret,
        updated_at: updatedAt,
      }))
      .where('id', '=', id)
      .execute();
    await countWebhookChange(tables, access.dialect);
    return readWebhook(tables, id);
  });
}

export function endPreviousSecret(
  access: DatabaseAccess,
  id: number,
  end: PreviousSecretEnd,
): Promise<Webhook | undefined> {
  return access.write(async (tables) => {
    const updatedAt = await lockForChange(access, tables, id, end);
    if (updatedAt === undefined) return undefined;
    await tables
      .updateTable('webhooks')
      .set({ previous_secret: null, previous_secret_expires_at: null, updated_at: updatedAt })
      .where('id', '=', id)
      .execute();
    await countWebhookChange(tables, access.dialect);
    return readWebhook(tables, id);
  });
}

/** What a dispatch matches is what is told; the text only says in which order. */
function webhookOf(row: WebhookRow, patterns: readonly string[] = []): Webhook {
  const given = jsonArrayOf<string>(row.events);
  return {
    // Drivers differ: a host may have configured its own for BigInt or text.
    id: Number(row.id),
    url: row.url,
    description: row.description,
    events: [
      ...given.filter((pattern) => patterns.includes(pattern)),
      ...patterns.filter((pattern) => !given.includes(pattern)).sort(),
    ],
    isActive: Number(row.is_active) === 1,
    inactiveReason: row.inactive_reason,
    inactiveSince: row.inactive_since,
    previousSecretExpiresAt: row.previous_secret_expires_at,
    createdBy: Number(row.created_by),
    createdByUid: row.created_by_uid,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
