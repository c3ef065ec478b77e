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

  /** Undefined also where the webhook has another `updatedAt` than the one expected. */
  function findAsExpected(id, expectedUpdatedAt) {
    const row = find(id);
    return (expectedUpdatedAt ?? row?.updatedAt) === row?.updatedAt ? row : undefined;
  }

  function change(row, changes) {
    const next = { ...row, ...changes, updatedAt: nextUpdatedAt(row, changes) };
    // A deactivation happens at the time that is kept.
    if (changes.inactiveSince) next.inactiveSince = next.updatedAt;
    update.run(
      next.url,
      next.description,
      next.events,
      Number(next.isActive),
      next.inactiveReason,
      next.inactiveSince,
      next.secret,
      next.previousSecret,
      next.previousSecretExpiresAt,
      next.updatedAt,
      next.activation,
      next.id,
    );
    return webhookOf(next);
  }

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

    updateWebhook(id, { expectedUpdatedAt, events, isActive, ...fields }) {
      const row = findAsExpected(id, expectedUpdatedAt);
      if (row === undefined) return undefined;
      const wasActive = row.isActive === 1;
      const isActivated = isActive === true && !wasActive;
      const hasNewUrl = fields.url !== undefined && fields.url !== row.url;
      return change(row, {
        ...fields,
        ...(events !== undefined && { events: JSON.stringify(events) }),
        ...(isActive !== undefined && { isActive }),
        ...(isActive === true && { inactiveReason: '', inactiveSince: null }),
        ...(isActive === false && wasActive && { inactiveSince: fields.updatedAt }),
        ...((isActivated || hasNewUrl) && { activation: row.activation + 1 }),
      });
    },

    deleteWebhook(id, expectedUpdatedAt) {
      if (findAsExpected(id, expectedUpdatedAt) === undefined) return false;
      for (const statement of removal) statement.run(id);
      remove.run(id);
      return true;
    },

    deactivateWebhook(id, { activation, reason, updatedAt }) {
      const row = find(id);
      if (row?.isActive !== 1 || row.activation !== activation) return false;
      change(row, { isActive: false, inactiveReason: reason, inactiveSince: updatedAt, updatedAt });
      return true;
    },

    rotateSecret(id, { expectedUpdatedAt, ...rotation }) {
      const row = findAsExpected(id, expectedUpdatedAt);
      return row && change(row, { ...rotation, previousSecret: row.secret });
    },

    endPreviousSecret(id, { expectedUpdatedAt, updatedAt }) {
      const row = findAsExpected(id, expectedUpdatedAt);
      return row && change(row, { previousSecret: null, previousSecretExpiresAt: null, updatedAt });
    },
  };
}

/** What the interface calls a webhook: without its secrets and its activation. */
function webhookOf(row) {
  if (row === undefined) return undefined;
  const { secret, previousSecret, activation, ...webhook } = row;
  return { ...webhook, events: JSON.parse(row.events), isActive: Boolean(row.isActive) };
}

/** No two states of a webhook have the same `updatedAt`, whatever the clocks do. */
function nextUpdatedAt({ updatedAt: before }, { updatedAt: now }) {
  return before < now ? now : new Date(Date.parse(before) + 1).toISOString();
}
