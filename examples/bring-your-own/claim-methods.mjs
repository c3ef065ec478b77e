import {
  failureRunAfter,
  MAX_PAUSE_MS,
  NO_ACTIVATION,
  RETRY_PRIORITY_DELAY_MS,
} from '@acme/webhooks/storage';

const IS_PAUSED = `(is_active and paused_activation is activation
  and paused_until_ms > @now and paused_until_ms <= @now + ${MAX_PAUSE_MS})`;
const IS_READY = `status = 'pending' and due_ms <= @now and lease_ends_ms <= @now`;

/** The methods that lease due deliveries to workers and record the results. */
export function claimMethods(db) {
  const summary = db.prepare(`select min(due_ms) as oldestMs, count(*) as due
    from (select due_ms from deliveries where ${IS_READY}
      and webhook_id not in (select id from webhooks where ${IS_PAUSED}) order by due_ms limit @limit)`);
  const waitingWebhooks = db.prepare(`select id as webhookId, (select count(*) from
      (select 1 from deliveries where webhook_id = webhooks.id and ${IS_READY} limit @limit)) as due,
      ${IS_PAUSED} as isPaused
    from webhooks where due > 0`);
  const readyOf = db.prepare(`select * from deliveries where webhook_id = @webhookId and ${IS_READY}
    order by priority_ms, id limit @count`);
  const lease = db.prepare(
    'update deliveries set attempts = ?, claim_token = ?, lease_ends_ms = ? where id = ?',
  );
  const stateOf = db.prepare('select state from webhooks where id = ?');
  const tokens = db.prepare(
    'select webhook_id, claim_token, recorded_token, series_start from deliveries where id = ?',
  );
  const record = db.prepare(`update deliveries set status = @status, status_code = @statusCode,
    response_body = @responseBody, error = @error, attempt_log = @attemptLog, completed_at = @completedAt,
    due_ms = @dueMs, priority_ms = @dueMs + ${RETRY_PRIORITY_DELAY_MS}, claim_token = null,
    lease_ends_ms = 0, recorded_token = @claimToken,
    deferrals = deferrals + @deferred where id = @id`);
  const pause = db.prepare(`update webhooks set
    paused_until_ms = max(@until, iif(paused_activation is @activation
      and paused_until_ms <= @now + ${MAX_PAUSE_MS}, paused_until_ms, 0)),
    paused_activation = @activation where id = @webhookId and activation = @activation`);
  const ended = {
    success: db.prepare(`update webhooks set last_success_at = ?1, failure_run =
      iif(failure_run ->> '$.endedAt' = '', json_set(failure_run, '$.endedAt', ?1), failure_run)
      where id = ?2`),
    failed: db.prepare('update webhooks set last_failure_at = ? where id = ?'),
  };
  const failuresOf = db.prepare(
    'select last_success_at as lastSuccessAt, failure_run as run from webhooks where id = ?',
  );
  const keepFailures = db.prepare('update webhooks set failure_run = ? where id = ?');

  function addFailure(webhookId, failure) {
    const [{ lastSuccessAt, run }] = failuresOf.all(webhookId);
    const before = run === null ? undefined : JSON.parse(run);
    keepFailures.run(JSON.stringify(failureRunAfter(before, [failure], lastSuccessAt)), webhookId);
  }

  function claim(row, { now, leaseMs, maxAttempts, claimToken }) {
    const { attempts, deferrals } = row;
    const uncounted = row.series_start + deferrals;
    const isExhausted = attempts - uncounted >= maxAttempts;
    const attempt = isExhausted ? attempts : attempts + 1;
    lease.run(attempt, claimToken, now + leaseMs, row.id);
    const { webhook, ...state } = JSON.parse(stateOf.all(row.webhook_id)[0].state);
    return {
      id: row.id,
      claimToken,
      deliveryId: row.delivery_id,
      event: row.event,
      payload: row.payload,
      createdAt: row.created_at,
      attemptLog: JSON.parse(row.attempt_log),
      attempt,
      seriesAttempt: attempt - uncounted,
      deferrals,
      lostAttempt: row.claim_token === null ? null : attempts,
      isExhausted,
      webhook: {
        id: webhook.id,
        tenant: webhook.tenant,
        url: webhook.url,
        isActive: webhook.isActive,
        maxPerMinute: webhook.maxPerMinute,
        ...state,
      },
    };
  }

  function recordAttempt({ attemptLog, retryInMs, now, deferral, ...result }) {
    const { id, claimToken, status, activation, error } = result;
    const [row] = tokens.all(id);
    if (row === undefined) return 'gone';
    if (row.recorded_token === claimToken) return 'recorded';
    if (row.claim_token !== claimToken) return 'late';
    const endedAt = new Date(now).toISOString();
    const completedAt = status === 'pending' ? null : endedAt;
    const dueMs = now + retryInMs;
    const deferred = deferral && !deferral.isCounted ? 1 : 0;
    record.run({ ...result, attemptLog: JSON.stringify(attemptLog), completedAt, dueMs, deferred });
    if (deferral?.pauseMs > 0) {
      pause.run({ now, until: now + deferral.pauseMs, activation, webhookId: row.webhook_id });
    }
    if (activation !== NO_ACTIVATION) ended[status]?.run(endedAt, row.webhook_id);
    if (status === 'failed' && activation !== NO_ACTIVATION && row.series_start === 0) {
      addFailure(row.webhook_id, { activation, error, completedAt: endedAt });
    }
    return 'recorded';
  }

  const kept =
    db.prepare(`select id as webhookId, failure_run as run, last_success_at as lastSuccessAt,
      iif(is_active, activation, null) as activation
    from webhooks where failure_run is not null and id > @after
      and (@ids is null or id in (select value from json_each(@ids))) order by id limit @limit`);

  return {
    stepFailures({ now, webhookIds, after = 0, limit, step }) {
      const ids = webhookIds === undefined ? null : JSON.stringify(webhookIds);
      return kept.all({ after, ids, limit }).map(({ run, ...row }) => {
        const given = { ...row, run: JSON.parse(run), now: new Date(now).toISOString() };
        const next = step(given);
        keepFailures.run(next && JSON.stringify(next), row.webhookId);
        return { ...given, after: next };
      });
    },

    dueSummary({ now, limit }) {
      const [{ oldestMs, due }] = summary.all({ now, limit });
      return { oldestDueMs: oldestMs === null ? null : now - oldestMs, due };
    },

    claimDueDeliveries(request) {
      const { now, limit } = request;
      const waiting = waitingWebhooks.all({ now, limit });
      if (waiting.length === 0) return [];
      return [...request.choose(waiting.map((one) => ({ ...one, isPaused: one.isPaused === 1 })))]
        .flatMap(([webhookId, count]) => readyOf.all({ webhookId, now, count }))
        .sort((a, b) => a.priority_ms - b.priority_ms || a.id - b.id)
        .map((row) => claim(row, request));
    },

    recordAttempts: (records) => records.map(recordAttempt),
  };
}
