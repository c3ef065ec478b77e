import { failedWhere, SUMMARY, summaryOf } from './history-methods.mjs';

/** As of a retry: the first attempts of new events go before what was reopened in a batch. */
const BATCH_PRIORITY_DELAY_MS = 60_000;

/** The methods that begin new series of attempts, and those that remove what is old. */
export function retentionMethods(db) {
  const statusOf = db.prepare(
    'select id, status from deliveries where webhook_id = ? and delivery_id = ?',
  );
  const reopen = db.prepare(`update deliveries set status = 'pending', completed_at = null,
    series_start = attempts, due_ms = ?, priority_ms = ? where id = ?`);
  const old = db.prepare(`select ${SUMMARY} from deliveries where created_at < ?
    order by created_at, id limit ?`);
  const remove = db.prepare('delete from deliveries where id = ?');
  const forgetKeys = db.prepare(`delete from idempotency_keys where (event, key) in
    (select event, key from idempotency_keys where created_at < ? limit ?)`);

  return {
    reopenDelivery({ webhookId, deliveryId, now }) {
      const [delivery] = statusOf.all(webhookId, deliveryId);
      if (delivery === undefined) return undefined;
      if (delivery.status === 'pending') return 'pending';
      reopen.run(now, now, delivery.id);
      return 'reopened';
    },

    reopenFailed({ now, limit, ...query }) {
      const failed = failedWhere(query);
      const rows = db
        .prepare(`select id, delivery_id as deliveryId, created_at as createdAt from deliveries
          where ${failed.sql} order by created_at, id limit ?`)
        .all(...failed.values, limit);
      for (const { id } of rows) reopen.run(now, now + BATCH_PRIORITY_DELAY_MS, id);
      return rows;
    },

    purgeDeliveries({ createdBefore, now, limit }) {
      const rows = old.all(createdBefore, limit).map(summaryOf);
      for (const { id } of rows) remove.run(id);
      const completedAt = new Date(now).toISOString();
      const end = { status: 'failed', error: 'expired', completedAt, nextAttemptAt: null };
      const pending = rows.filter(({ status }) => status === 'pending');
      return { removed: rows.length, expired: pending.map((row) => ({ ...row, ...end })) };
    },

    purgeIdempotencyKeys: ({ createdBefore, limit }) =>
      forgetKeys.run(createdBefore, limit).changes,
  };
}
