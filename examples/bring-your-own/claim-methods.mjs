import { allocateSlots, lastServed } from '@acme/webhooks/storage';

/** First attempts go before retries for this long, and keep none waiting for ever. */
const RETRY_PRIORITY_DELAY_MS = 60_000;
/** The activation of a result that counts against no webhook. */
const NO_ACTIVATION = -1;

const IS_READY = `status = 'pending' and due_ms <= @now and lease_ends_ms <= @now`;

/** The methods that lease due deliveries to workers and record the results. */
export function claimMethods(db) {
  const summary = db.prepare(`select min(due_ms) as oldestMs, count(*) as due
    from (select due_ms from deliveries where ${IS_READY} order by due_ms limit @limit)`);
  const oldestOther = db.prepare(`select due_ms as oldestMs from deliveries
    where ${IS_READY} and webhook_id not in (select value from json_each(@limited))
    order by due_ms limit 1`);
  // Those after the cursor come first.
  const waitingWebhooks = db.prepare(`select id as webhookId, (
      select count(*) from
        (select 1 from deliveries where webhook_id = webhooks.id and ${IS_READY} limit @limit)
    ) as due
    from webhooks where due > 0 order by id <= @cursor, id`);
  const readyOf =
    db.prepare(`select id, attempts, series_start as seriesStart, priority_ms as priorityMs,
      claim_token is not null as isLost, delivery_id as deliveryId, event, payload,
      created_at as createdAt, attempt_log as attemptLog, webhook_id as webhookId
    from deliveries where webhook_id = @webhookId and ${IS_READY}
    order by priority_ms, id limit @slots`);
  const lease = db.prepare(
    'update deliveries set attempts = ?, claim_token = ?, lease_ends_ms = ? where id = ?',
  );
  const recipient = db.prepare(`select id, url, secret, previous_secret as previousSecret,
      previous_secret_expires_at as expiresAt, is_active as isActive, activation
    from webhooks where id = ?`);
  const tokens = db.prepare(`select webhook_id as webhookId, claim_token as claimToken,
    recorded_token as recordedToken from deliveries where id = ?`);
  const record = db.prepare(`update deliveries set status = ?, status_code = ?, response_body = ?,
    error = ?, attempt_log = ?, completed_at = ?, due_ms = ?, priority_ms = ?, claim_token = null,
    lease_ends_ms = 0, recorded_token = ?, activation = ? where id = ?`);
  const succeeded = db.prepare('update webhooks set last_success_at = ? where id = ?');
  const failed = db.prepare('update webhooks set last_failure_at = ? where id = ?');
  let cursor = 0;

  function claim(row, { now, leaseMs, maxAttempts, claimToken }) {
    const { id, deliveryId, event, payload, createdAt, attempts, seriesStart, webhookId } = row;
    const isExhausted = attempts - seriesStart >= maxAttempts;
    const attempt = isExhausted ? attempts : attempts + 1;
    lease.run(attempt, claimToken, now + leaseMs, id);
    const [{ previousSecret, expiresAt, isActive, ...webhook }] = recipient.all(webhookId);
    return {
      id,
      claimToken,
      deliveryId,
      event,
      payload,
      createdAt,
      attemptLog: JSON.parse(row.attemptLog),
      attempt,
      seriesAttempt: attempt - seriesStart,
      lostAttempt: row.isLost ? attempts : null,
      isExhausted,
      webhook: {
        ...webhook,
        isActive: Boolean(isActive),
        previousSecret: previousSecret && { secret: previousSecret, expiresAt },
      },
    };
  }

  function recordAttempt({ id, claimToken, status, now, activation, ...result }) {
    const [row] = tokens.all(id);
    if (row === undefined) return 'gone';
    if (row.recordedToken === claimToken) return 'recorded';
    if (row.claimToken !== claimToken) return 'late';
    const isEnd = status !== 'pending';
    const endedAt = new Date(now).toISOString();
    const dueMs = now + result.retryInMs;
    record.run(
      status,
      result.statusCode,
      result.responseBody,
      result.error,
      JSON.stringify(result.attemptLog),
      isEnd ? endedAt : null,
      dueMs,
      dueMs + RETRY_PRIORITY_DELAY_MS,
      claimToken,
      activation,
      id,
    );
    if (status === 'success' && activation !== NO_ACTIVATION) succeeded.run(endedAt, row.webhookId);
    if (status === 'failed' && activation !== NO_ACTIVATION) failed.run(endedAt, row.webhookId);
    return 'recorded';
  }

  return {
    dueSummary({ now, limit, limited = new Set() }) {
      const [{ oldestMs, due }] = summary.all({ now, limit });
      const [other] = oldestOther.all({ now, limited: JSON.stringify([...limited]) });
      return { oldestDueAt: textOf(oldestMs), oldestOtherDueAt: textOf(other?.oldestMs), due };
    },

    claimDueDeliveries(request) {
      const { now, limit } = request;
      const waiting = waitingWebhooks.all({ now, limit, cursor });
      const slots = allocateSlots(waiting, limit, request);
      const due = waiting.reduce((sum, webhook) => sum + webhook.due, 0);
      if (due > limit) cursor = lastServed(waiting, slots, request) ?? cursor;
      return [...slots]
        .flatMap(([webhookId, free]) => readyOf.all({ webhookId, now, slots: free }))
        .sort((a, b) => a.priorityMs - b.priorityMs || a.id - b.id)
        .map((row) => claim(row, request));
    },

    recordAttempts: (records) => records.map(recordAttempt),
  };
}

const textOf = (ms) => (ms == null ? null : new Date(ms).toISOString());
