import { changedState } from '@acme/webhooks/storage';

const COLUMNS = `id, url, description, events, is_active as isActive,
  inactive_reason as inactiveReason, inactive_since as inactiveSince, secret,
  previous_secret as previousSecret, previous_secret_expires_at as previousSecretExpiresAt,
  created_by as createdBy, created_by_uid as createdByUid, created_at as createdAt,
  updated_at as updatedAt, activation`;

const IS_FAILING = `(coalesce(last_failure_at, '') > coalesce(last_success_at, ''))`;
const SORT = {
  id: 'id',
  url: 'url',
  created_at: 'created_at',
  updated_at: 'updated_at',
  failing: IS_FAILING,
};

/** The methods that register, change and remove webhooks. */
export function webhookMethods(db) {
  const select = db.prepare(`select ${COLUMNS} from webhooks where id = ?`);
  const insert = db.prepare(`insert into webhooks
    (url, description, events, is_active, inactive_since, secret, created_by, created_by_uid, created_at, updated_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(`update webhooks set url = ?, description = ?, events = ?,
    is_active = ?, inactive_reason = ?, inactive_since = ?, secret = ?, previous_secret = ?,
    previous_secret_expires_at = ?, updated_at = ?, activation = ? where id = ?`);
  const removal = ['deliveries', 'delivery_counts'].map((table) =>
    db.prepare(`delete from ${table} where webhook_id = ?`),
  );
  const remove = db.prepare('delete from webhooks where id = ?');

  const find = (id) => select.all(id)[0];

  return {
    createWebhook(webhook) {
      const { lastInsertRowid } = insert.run(
        webhook.url,
        webhook.description,
        JSON.stringify(webhook.events),
        Number(webhook.isActive),
        webhook.isActive ? null : webhook.createdAt,
        webhook.secret,
        webhook.createdBy,
        webhook.createdByUid,
        webhook.createdAt,
        webhook.createdAt,
      );
      return webhookOf(find(lastInsertRowid));
    },

    findWebhook: (id) => webhookOf(find(id)),

    listWebhooks({ search = '', isActive, patterns, isFailing, sort, order, limit, offset }) {
      const conditions = [
        // lower() folds ASCII letters and no others.
        {
          sql: 'instr(lower(url), lower(?)) + instr(lower(description), lower(?)) > 0',
          values: [search, search],
        },
      ];
      if (isActive !== undefined)
        conditions.push({ sql: 'is_active = ?', values: [Number(isActive)] });
      if (isFailing !== undefined)
        conditions.push({ sql: `${IS_FAILING} = ?`, values: [Number(isFailing)] });
      if (patterns !== undefined) {
        const sql =
          'exists (select * from json_each(events) where value in (select value from json_each(?)))';
        conditions.push({ sql, values: [JSON.stringify(patterns)] });
      }
      const matching = `from webhooks where ${conditions.map(({ sql }) => sql).join(' and ')}`;
      const values = conditions.flatMap((condition) => condition.values);
      const direction = order === 'desc' ? 'desc' : 'asc';
      const rows = db
        .prepare(
          `select ${COLUMNS} ${matching} order by ${SORT[sort]} ${direction}, id ${direction} limit ? offset ?`,
        )
        .all(...values, limit, offset);
      const [{ total }] = db.prepare(`select count(*) as total ${matching}`).all(...values);
      return { webhooks: rows.map(webhookOf), total };
    },

    changeWebhook(id, change) {
      const row = find(id);
      const changed = row && changedState(stateOf(row), change);
      if (changed === undefined) return undefined;
      const { webhook, secret, previousSecret, activation } = changed;
      update.run(
        webhook.url,
        webhook.description,
        JSON.stringify(webhook.events),
        Number(webhook.isActive),
        webhook.inactiveReason,
        webhook.inactiveSince,
        secret,
        previousSecret?.secret ?? null,
        webhook.previousSecretExpiresAt,
        webhook.updatedAt,
        activation,
        id,
      );
      return webhook;
    },

    deleteWebhook(id, expectedUpdatedAt) {
      const row = find(id);
      if (row === undefined || (expectedUpdatedAt ?? row.updatedAt) !== row.updatedAt) return false;
      for (const statement of removal) statement.run(id);
      remove.run(id);
      return true;
    },
  };
}

/** What the rules for a change need of a row. */
function stateOf(row) {
  const { secret, previousSecret, previousSecretExpiresAt: expiresAt, activation } = row;
  return {
    webhook: webhookOf(row),
    secret,
    previousSecret: previousSecret === null ? null : { secret: previousSecret, expiresAt },
    activation,
  };
}

/** What the interface calls a webhook: without its secrets and its activation. */
function webhookOf(row) {
  if (row === undefined) return undefined;
  const { secret, previousSecret, activation, ...webhook } = row;
  return { ...webhook, events: JSON.parse(row.events), isActive: Boolean(row.isActive) };
}
