/** A delivery as lists show it. */
export const SUMMARY = `id, webhook_id as webhookId, delivery_id as deliveryId, event, status,
  status_code as statusCode, response_body as responseBody, error, attempts,
  created_at as createdAt, completed_at as completedAt,
  iif(status = 'pending', due_ms, null) as nextAttemptAt`;

export const summaryOf = (row) => ({
  ...row,
  nextAttemptAt: row.nextAttemptAt === null ? null : new Date(row.nextAttemptAt).toISOString(),
});

/** The methods that count, list and find. They change nothing. */
export function historyMethods(db) {
  const allRevisions = db.prepare(`select (select number from webhook_revision) as changes,
    (select seq from sqlite_sequence where name = 'deliveries') as lastId`);
  const revisions = db.prepare(`select (select number from webhook_revision) as changes,
    (select json_group_array(revision order by id) from webhooks
      where id in (select value from json_each(?))) as each`);
  const counts = db.prepare(`select status, sum(number) as number from delivery_counts
    where webhook_id = ? group by status`);
  const activity = db.prepare(`select hour, status, number from delivery_counts
    where webhook_id = ? and hour between ? and ? order by hour`);
  const last = db.prepare(`select ${SUMMARY} from deliveries where id in
    (select (select max(id) from deliveries where webhook_id = value) from json_each(?))`);
  const health = db.prepare(`select id as webhookId, last_success_at as lastSuccessAt,
      last_failure_at as lastFailureAt,
      coalesce(sum(number) filter (where status = 'success'), 0) as success,
      coalesce(sum(number) filter (where status = 'failed'), 0) as failed
    from webhooks left join delivery_counts on webhook_id = id and hour >= ?
    where id in (select value from json_each(?)) group by id`);
  const failuresInARow = db.prepare(`select count(*) as number from
    (select 1 from webhooks join deliveries on webhook_id = webhooks.id
      where webhooks.id = ? and status = 'failed' and deliveries.activation = webhooks.activation
        and completed_at > coalesce(last_success_at, '') limit ?)`);
  const urlOf = db.prepare('select url from webhooks where id = ?');
  const find = db.prepare(`select ${SUMMARY}, payload, attempt_log as attemptLog
    from deliveries where webhook_id = ? and delivery_id = ?`);

  return {
    readRevision(webhookIds) {
      const [row] = webhookIds ? revisions.all(JSON.stringify(webhookIds)) : allRevisions.all();
      return Object.values(row).join('-');
    },

    countDeliveries(webhookId) {
      const found = { total: 0, success: 0, failed: 0, pending: 0 };
      for (const { status, number } of counts.all(webhookId)) {
        found[status] = number;
        found.total += number;
      }
      return found;
    },

    readActivity({ webhookId, from, to }) {
      const hours = new Map();
      for (const { hour, status, number } of activity.all(webhookId, hourOf(from), hourOf(to))) {
        if (!hours.has(hour)) hours.set(hour, { hour, success: 0, failed: 0, pending: 0 });
        hours.get(hour)[status] = number;
      }
      return [...hours.values()];
    },

    lastDeliveries: (webhookIds) => last.all(JSON.stringify(webhookIds)).map(summaryOf),

    readHealth: ({ webhookIds, from }) => health.all(hourOf(from), JSON.stringify(webhookIds)),

    countFailuresInARow: (webhookId, limit) => failuresInARow.all(webhookId, limit)[0].number,

    countFailed(query) {
      const failed = failedWhere(query);
      return db
        .prepare(`select count(*) as number from deliveries where ${failed.sql}`)
        .all(...failed.values)[0].number;
    },

    listDeliveries({ webhookId, status, event, beforeId, limit }) {
      const { sql, values } = where([
        ['webhook_id = ?', webhookId],
        ['status = ?', status],
        ['event = ?', event],
        ['id < ?', beforeId],
      ]);
      return db
        .prepare(`select ${SUMMARY} from deliveries where ${sql} order by id desc limit ?`)
        .all(...values, limit)
        .map(summaryOf);
    },

    searchDeliveries({
      deliveryId,
      status,
      event,
      error,
      statusCode,
      limit,
      maxScanned,
      ...places
    }) {
      const isFailed = status === 'failed';
      // What an index finds in the order of the places; the rest is looked for in its first rows.
      const indexed = where([
        ['delivery_id = ?', deliveryId],
        [`status = 'failed' and ? `, isFailed ? 1 : undefined],
        ['event = ?', isFailed ? undefined : event],
        ['created_at >= ?', places.createdFrom],
        ['created_at < ?', places.createdBefore],
        ['(created_at, id) < (?, ?)', places.before?.createdAt, places.before?.id],
      ]);
      const others = where([
        ['status = ?', status],
        ['event = ?', event],
        ['error = ?', error],
        ['status_code = ?', statusCode],
      ]);
      const scanned = `select * from deliveries where ${indexed.sql} order by created_at desc, id desc limit ?`;
      const rows = db
        .prepare(`select ${SUMMARY} from (${scanned}) where ${others.sql}
          order by created_at desc, id desc limit ?`)
        .all(...indexed.values, maxScanned, ...others.values, limit + 1);
      const deliveries = rows
        .slice(0, limit)
        .map((row) => ({ ...summaryOf(row), webhookUrl: urlOf.get(row.webhookId)?.url ?? null }));
      if (rows.length > limit)
        return { deliveries, next: placeOf(deliveries.at(-1)), isCut: false };
      const [lastScanned] = db
        .prepare(`select created_at as createdAt, id from (${scanned})
          order by created_at desc, id desc limit 1 offset ?`)
        .all(...indexed.values, maxScanned, maxScanned - 1);
      return { deliveries, next: placeOf(lastScanned), isCut: lastScanned !== undefined };
    },

    findDelivery(webhookId, deliveryId) {
      const [row] = find.all(webhookId, deliveryId);
      return row && { ...summaryOf(row), attemptLog: JSON.parse(row.attemptLog) };
    },
  };
}

/** The failed deliveries of active webhooks that a query asks for, without tests. */
export function failedWhere({ webhookId, createdSince, createdBefore, events, after }) {
  const active = 'webhook_id in (select id from webhooks where is_active)';
  const { sql, values } = where([
    ['webhook_id = ?', webhookId],
    ['created_at >= ?', createdSince],
    ['created_at < ?', createdBefore],
    ['event in (select value from json_each(?))', events && JSON.stringify(events)],
    ['(created_at, id) > (?, ?)', after?.createdAt, after?.id],
  ]);
  return { sql: `status = 'failed' and not is_test and ${active} and ${sql}`, values };
}

/** Joins the conditions whose values are given. */
function where(conditions) {
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    sql: given.map(([sql]) => sql).join(' and ') || 'true',
    values: given.flatMap(([, ...values]) => values),
  };
}

const placeOf = (row) => (row === undefined ? null : { createdAt: row.createdAt, id: row.id });
const hourOf = (timestamp) => `${timestamp.slice(0, 'YYYY-MM-DDTHH'.length)}:00:00.000Z`;
