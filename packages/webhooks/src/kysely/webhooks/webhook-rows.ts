import { type Selectable, sql } from 'kysely';
import type { WebhookState } from '../../storage/changed-state.ts';
import { byColumn, columnsOf } from '../../storage/field.ts';
import {
  newSettings,
  WEBHOOK_FIELDS,
  WEBHOOK_SETTINGS,
  type Webhook,
  type WebhookSettings,
} from '../../storage/webhook-record.ts';
import type { NewWebhook, WebhookQuery } from '../../storage/webhook-requests.ts';
import { countWebhookChange } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { WebhookTable } from '../tables.ts';
import { valuesOf } from '../values-of.ts';
import { downSince, hasLevel, isUnwell, levelOrder } from './health-level.ts';
import { assertRoom } from './tenant-room.ts';
import { changePatterns, insertPatterns, readPatterns } from './webhook-patterns.ts';

const SEARCHED = ['url', 'name', 'description', 'tenant'] as const;

const WEBHOOK_COLUMNS = columnsOf(WEBHOOK_FIELDS);

type WebhookRow = Pick<Selectable<WebhookTable>, (typeof WEBHOOK_COLUMNS)[number]>;

export function createWebhook({ write, dialect }: DatabaseAccess, webhook: NewWebhook): Promise<Webhook> {
  return write(async (tables) => {
    const settings = newSettings(webhook);
    const row = {
      ...settingColumns(settings),
      tenant: webhook.tenant ?? '',
      secret: webhook.secret,
      created_by: webhook.createdBy,
      created_by_uid: webhook.createdByUid,
      created_at: webhook.createdAt,
      updated_at: webhook.createdAt,
      inactive_since: webhook.isActive ? null : webhook.createdAt,
    };
    if (webhook.maxOfTenant !== undefined) {
      await assertRoom(tables, dialect, row, webhook.maxOfTenant);
    }
    const id = await dialect.insertWebhook(tables, row);
    await insertPatterns(tables, { ...row, id }, webhook.events);
    await countWebhookChange(tables, dialect);
    return webhookOf({ ...row, id, inactive_reason: '', previous_secret_expires_at: null }, webhook.events);
  });
}

export function findWebhook(
  { run }: DatabaseAccess,
  id: number,
  tenant?: string,
): Promise<Webhook | undefined> {
  return run(async (tables) => {
    const row = await tables
      .selectFrom('webhooks')
      .select(WEBHOOK_COLUMNS)
      .where('id', '=', id)
      .where('is_removed', '=', 0)
      .$if(tenant !== undefined, (rows) => rows.where('tenant', '=', tenant ?? ''))
      .executeTakeFirst();
    return row && webhookOf(row, (await readPatterns(tables, [id])).get(id));
  });
}

export function listWebhooks(
  { run, readUncompiled, dialect }: DatabaseAccess,
  query: WebhookQuery,
): Promise<{ webhooks: Webhook[]; total: number }> {
  const isByCounters = query.sort === 'level' || query.level !== undefined || query.unwell !== undefined;
  return (isByCounters ? readUncompiled : run)(async (tables) => {
    let matching = tables.selectFrom('webhooks').where('is_removed', '=', 0);
    const { tenant, tenantAfter, search, isActive } = query;
    if (tenant !== undefined) matching = matching.where('tenant', '=', tenant);
    if (tenantAfter !== undefined) matching = matching.where('tenant', '>', tenantAfter);
    const havingPattern = tables
      .selectFrom('webhook_patterns')
      .select('webhook_id')
      .$if(tenant !== undefined, (rows) => rows.where('tenant', '=', tenant ?? ''));
    const withPattern = (patterns: readonly string[]) => havingPattern.where('pattern', 'in', patterns);
    const withPrefix = (prefix: string) =>
      havingPattern.where(sql`substr(pattern, 1, ${sql.lit(prefix.length)})`, '=', prefix);
    if (search !== undefined && search !== '') {
      const { searchPatterns = [], searchPrefix } = query;
      matching = matching.where((where) =>
        where.or([
          ...SEARCHED.filter((column) => column !== 'tenant' || tenant === undefined).map((column) =>
            dialect.containsText(where.ref(column), search),
          ),
          ...(searchPatterns.length > 0 ? [where('id', 'in', withPattern(searchPatterns))] : []),
          ...(searchPrefix === undefined ? [] : [where('id', 'in', withPrefix(searchPrefix))]),
        ]),
      );
    }
    if (isActive !== undefined) matching = matching.where('is_active', '=', isActive ? 1 : 0);
    if (query.patterns !== undefined) {
      matching = matching.where('id', 'in', withPattern(query.patterns));
    }
    if (query.unwell !== undefined) {
      matching = matching.where(isUnwell(dialect, query.unwell, query.healthSince));
    }
    if (query.level !== undefined) {
      matching = matching.where(hasLevel(dialect, query.level, query));
    }

    const order = query.sort === 'level' ? levelOrder(dialect, query) : sql.ref(query.sort);
    const rows = await matching
      .select(WEBHOOK_COLUMNS)
      // Counted in passing: what says the level would be read twice.
      .$if(isByCounters, (all) => all.select(sql<number>`count(*) over ()`.as('total')))
      .orderBy(order, query.order)
      .$if(query.sort === 'level', (all) =>
        all.orderBy(downSince(query), query.order === 'asc' ? 'desc' : 'asc'),
      )
      .orderBy('id', query.order)
      .limit(query.limit)
      .offset(query.offset)
      .execute();
    const ids = rows.map(({ id }) => Number(id));
    const patterns = await readPatterns(tables, ids);
    const webhooks = rows.map((row) => webhookOf(row, patterns.get(Number(row.id))));
    if (tenantAfter !== undefined) return { webhooks, total: webhooks.length };
    const counted = rows[0]?.total;
    if (counted !== undefined) return { webhooks, total: Number(counted) };
    const { total } = await matching
      .select((count) => count.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { webhooks, total: Number(total) };
  });
}

/** The row is locked from the read to the end of the transaction. */
export function changeWebhook(
  { write, dialect }: DatabaseAccess,
  id: number,
  change: (before: WebhookState) => WebhookState | undefined,
): Promise<Webhook | undefined> {
  return write(async (tables) => {
    const row = await tables
      .selectFrom('webhooks')
      .select([...WEBHOOK_COLUMNS, 'secret', 'previous_secret', 'activations'])
      .where('id', '=', id)
      .where('is_removed', '=', 0)
      .modifyEnd(dialect.locks.forNoKeyUpdate)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const patterns = (await readPatterns(tables, [id])).get(id);
    const before = stateOf(row, patterns);
    const changed = change(before);
    if (changed === undefined) return undefined;
    const { webhook } = changed;
    const { events, ...columns } = settingColumns(webhook);
    const hasNewPatterns = webhook.events !== before.webhook.events;
    await tables
      .updateTable('webhooks')
      .set({
        ...columns,
        ...(hasNewPatterns && { events }),
        inactive_reason: webhook.inactiveReason,
        inactive_since: webhook.inactiveSince,
        activations: changed.activation,
        secret: changed.secret,
        previous_secret: changed.previousSecret?.secret ?? null,
        previous_secret_expires_at: webhook.previousSecretExpiresAt,
        updated_at: webhook.updatedAt,
      })
      .where('id', '=', id)
      .execute();
    if (hasNewPatterns) await changePatterns(tables, row, patterns ?? [], webhook.events);
    await countWebhookChange(tables, dialect);
    return webhook;
  });
}

type StateRow = WebhookRow & Pick<Selectable<WebhookTable>, 'secret' | 'previous_secret' | 'activations'>;

function stateOf(row: StateRow, patterns?: readonly string[]): WebhookState {
  const { secret, previous_secret, previous_secret_expires_at: expiresAt } = row;
  return {
    webhook: webhookOf(row, patterns),
    secret,
    previousSecret:
      previous_secret === null || expiresAt === null ? null : { secret: previous_secret, expiresAt },
    activation: Number(row.activations),
  };
}

/** The settings as they are written. */
function settingColumns(settings: WebhookSettings) {
  const { is_active, events, ...columns } = byColumn(WEBHOOK_SETTINGS, settings);
  return { ...columns, events: JSON.stringify(events), is_active: is_active ? 1 : 0 };
}

/** What a dispatch matches is what is told; the text only says in which order. */
function webhookOf(row: WebhookRow, patterns: readonly string[] = []): Webhook {
  const given = jsonArrayOf<string>(row.events);
  const events = [
    ...given.filter((pattern) => patterns.includes(pattern)),
    ...patterns.filter((pattern) => !given.includes(pattern)).sort(),
  ];
  return { ...valuesOf<Webhook>(WEBHOOK_FIELDS, row), events };
}
