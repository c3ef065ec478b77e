import { MAX_PAUSE_MS, NO_ACTIVATION, RETRY_PRIORITY_DELAY_MS } from '@acme/webhooks/storage';

const HAS_PAUSE = `(is_active and pause ->> '$.activation' is activation)`;
const IS_PAUSED = `(${HAS_PAUSE} and pause ->> '$.untilMs' > @now
  and pause ->> '$.untilMs' <= @now + ${MAX_PAUSE_MS})`;
const IS_READY = `status = 'pending' and due_ms <= @now and lease_ends_ms <= @now`;

/** The methods that lease due deliveries to workers and record the results. */
export function claimMethods(db) {
  const summary = db.prepare(`select min(due_ms) as oldestMs, count(*) as due
    from (select due_ms from deliveries where ${IS_READY}
      and webhook_id not in (select id from webhooks where ${IS_PAUSED}) order by due_ms limit @limit)`);
  const waitingWebhooks = db.prepare(`select id as webhookId, tenant, (select count(*) from
      (select 1 from deliveries where webhook_id = webhooks.id and ${IS_READY} limit @limit)) as due,
      ${IS_PAUSED} as isPaused, ${HAS_PAUSE} and not ${IS_PAUSED} as isResuming
    from webhooks where due > 0`);
  const readyOf = db.prepare(`select * from deliveries where webhook_id = @webhookId and ${IS_READY}
    order by priority_ms, id limit @count`);
  const noteHour = db.prepare('insert or ignore into claimed_hours values (?)');
  const lease = db.prepare(
    'update deliveries set attempts = ?, claim_token = ?, lease_ends_ms = ? where id = ?',
  );
  const stateOf = db.prepare('select state from webhooks where id = ?');
  const tokens = db.prepare(
    'select webhook_id, claim_token, recorded_token, series_since_ms from deliveries where id = ?',
  );
  const record = db.prepare(`update deliveries set status = @status, status_code = @statusCode,
    response_body = @responseBody, error = @error, attempt_log = @attemptLog, completed_at = @completedAt,
    due_ms = @dueMs, priority_ms = @dueMs + ${RETRY_PRIORITY_DELAY_MS}, claim_token = null,
    lease_ends_ms = 0, recorded_token = @claimToken,
    deferrals = deferrals + @deferred where id = @id`);
  const pauseOf = db.prepare('select pause from webhooks where id = ?');
  const keepPause = db.prepare('update webhooks set pause = ? where id = ?');
  const keepFailure = db.prepare('update webhooks set last_failure_at = ? where id = ?');
  const runOf = db.prepare(
    'select last_success_at as lastSuccessAt, failure_run as run from webhooks where id = ?',
  );
  const keepRun = db.prepare(
    'update webhooks set failure_run = ?, last_success_at = ? where id = ?',
  );

  /** What happened at a webhook, in one group of results. */
  function changeRun(webhookId, events, runAfter) {
    const [{ lastSuccessAt, run }] = runOf.all(webhookId);
    const before = run === null ? undefined : JSON.parse(run);
    const after = runAfter(before, events, lastSuccessAt);
    const successes = events.filter(({ happened }) => happened === 'succeeded').map(({ at }) => at);
    const lastAt = [lastSuccessAt, ...successes].sort().at(-1);
    const isSame = run === null && after.failed === 0 && after.busySince === '';
    keepRun.run(isSame ? null : JSON.stringify(after), lastAt, webhookId);
  }

  function changePause(webhookId, change) {
    const [{ pause }] = pauseOf.all(webhookId);
    const after = change(pause === null ? undefined : JSON.parse(pause));
    keepPause.run(after === undefined ? null : JSON.stringify(after), webhookId);
  }

  /** Lets one delivery go first after a pause, and returns how many there were. */
  function resume(webhookId, untilMs) {
    let count = 0;
    changePause(webhookId, (pause) => {
      count = pause.count;
      return { ...pause, untilMs };
    });
    return count;
  }

  function claim(row, isResuming, { now, leaseMs, maxAttempts, claimToken }) {
    const pauses = isResuming ? resume(row.webhook_id, now + leaseMs) : 0;
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
      pauses,
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

  function recordAttempt(attempt, { pauseAfter }, happened) {
    const { attemptLog, retryInMs, now, deferral, resumed, ...result } = attempt;
    const { id, claimToken, status, activation, error } = result;
    const [row] = tokens.all(id);
    if (row === undefined) return 'gone';
    if (row.recorded_token === claimToken) return 'recorded';
    if (row.claim_token !== claimToken) return 'late';
    const endedAt = new Date(now).toISOString();
    const completedAt = status === 'pending' ? null : endedAt;
    const dueMs = now + retryInMs;
    const deferred = deferral ? 1 : 0;
    record.run({ ...result, attemptLog: JSON.stringify(attemptLog), completedAt, dueMs, deferred });
    const pauses = deferral?.pauseMs > 0;
    if (pauses || resumed) {
      const given = { activation, deferral, resumed, status };
      changePause(row.webhook_id, (pause) => pauseAfter(pause, given, now));
    }
    if (activation === NO_ACTIVATION) return 'recorded';
    const events = happened.get(row.webhook_id) ?? [];
    happened.set(row.webhook_id, events);
    const event = (what) => events.push({ activation, at: endedAt, happened: what });
    if (pauses) event(resumed ? 'asked again' : 'asked');
    if (status === 'success') event('succeeded');
    if (status === 'failed') {
      keepFailure.run(endedAt, row.webhook_id);
      if (row.series_since_ms === null) event({ failedWith: error });
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
        keepRun.run(next && JSON.stringify(next), row.lastSuccessAt, row.webhookId);
        return { ...given, after: next };
      });
    },

    dueSummary({ now, limit }) {
      const [{ oldestMs, due }] = summary.all({ now, limit });
      return { oldestDueMs: oldestMs === null ? null : now - oldestMs, due };
    },

    claimDueDeliveries(request) {
      const { now, limit } = request;
      noteHour.run(new Date(now).toISOString().slice(0, 13));
      const waiting = waitingWebhooks.all({ now, limit });
      if (waiting.length === 0) return [];
      const shown = waiting.map(({ isPaused, isResuming, ...one }) => ({
        ...one,
        isPaused: isPaused === 1,
        isResuming: isResuming === 1,
      }));
      const resuming = new Set(shown.filter((one) => one.isResuming).map((one) => one.webhookId));
      return [...request.choose(shown)]
        .flatMap(([webhookId, chosen]) => {
          const count = resuming.has(webhookId) ? Math.min(chosen, 1) : chosen;
          return readyOf.all({ webhookId, now, count });
        })
        .sort((a, b) => a.priority_ms - b.priority_ms || a.id - b.id)
        .map((row) => claim(row, resuming.has(row.webhook_id), request));
    },

    recordAttempts(records, rules) {
      const happened = new Map();
      const receipts = records.map((record) => recordAttempt(record, rules, happened));
      for (const [webhookId, events] of happened) changeRun(webhookId, events, rules.runAfter);
      return receipts;
    },
  };
}
