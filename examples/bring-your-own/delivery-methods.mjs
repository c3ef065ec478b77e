import { isTestDelivery } from '@acme/webhooks';
import { MAX_PAUSE_MS, RETRY_PRIORITY_DELAY_MS } from '@acme/webhooks/storage';

/** Whether a webhook's run of failures goes on, and whether its recipient is busy. */
const [IS_FAILING, IS_BUSY] = ['since', 'busySince'].map(
  (since) => `(failure_run ->> '$.${since}' > last_success_at
  and failure_run ->> '$.activation' = activation)`,
);

export { IS_BUSY, IS_FAILING };

/** A delivery as lists show it. */
const SUMMARY = `id, webhook_id as webhookId, delivery_id as deliveryId, event, status,
  status_code as statusCode, response_body as responseBody, error, attempts - deferrals as attempts, deferrals,
  created_at as createdAt, completed_at as completedAt,
  iif(status = 'pending', due_ms, null) as nextAttemptAt`;

const summaryOf = ({ payload, attemptLog, ...row }) => ({
  ...row,
  nextAttemptAt: row.nextAttemptAt === null ? null : new Date(row.nextAttemptAt).toISOString(),
});

/** Whether a delivery is for a webhook of that tenant, or of any if there is none. */
const OF_TENANT = (tenant) =>
  `webhook_id in (select id from webhooks where tenant = coalesce(${tenant}, tenant))`;

/** The methods that find deliveries, and those that count them. They change nothing. */
export function readingMethods(db) {
  const webhookOf = db.prepare(
    'select url as webhookUrl, name as webhookName from webhooks where id = ?',
  );
  const allRevisions =
    db.prepare(`select (select seq from sqlite_sequence where name = 'deliveries') as newest,
    count(*) as webhooks, total(unixepoch(updated_at, 'subsec')) as changes from webhooks`);
  const revisions = db.prepare(`select webhook_id as id, count(*) as deliveries, max(id) as newest,
      sum(status = 'pending') as pending, sum(attempts) as attempts
    from deliveries where webhook_id in (select value from json_each(?)) group by webhook_id`);
  const hours = db.prepare(`select substr(created_at, 1, 13) || ':00:00.000Z' as hour,
      sum(status = 'success') as success, sum(status = 'failed') as failed,
      sum(status = 'pending') as pending
    from deliveries where ?1 = webhook_id or ?1 = 0 and ${OF_TENANT('?2')} group by hour order by hour`);
  const last = db.prepare(`select ${SUMMARY} from deliveries where webhook_id = ?
    order by id desc limit 1`);
  const times = db.prepare(`select id as webhookId, nullif(last_success_at, '') as lastSuccessAt,
      nullif(last_failure_at, '') as lastFailureAt,
      iif(is_active and pause ->> '$.activation' is activation, pause ->> '$.untilMs', 0) as pausedUntilMs
    from webhooks where id in (select value from json_each(?))`);
  const waitingOf = db.prepare(`select count, dueMs,
      (select created_at from deliveries where id = firstId) as oldestAt
    from (select count(*) as count, min(priority_ms) as dueMs, min(id) as firstId from deliveries
      where status = 'pending' and webhook_id = coalesce(@id, webhook_id)
      and ${OF_TENANT('@tenant')})`);
  const runs = db.prepare(`select failure_run as run, activation, last_success_at as lastSuccessAt
    from webhooks where id = ? and failure_run is not null`);

  return {
    readRevision(webhookIds, scope = 'all') {
      const each = webhookIds && revisions.all(JSON.stringify(webhookIds));
      return JSON.stringify([scope === 'all' ? allRevisions.all() : [], each]);
    },

    readOverview({ webhookIds, pausedAt, tenant = null, ...parts }) {
      const within = ({ hour }) => isWithin(hour, parts.activity);
      if (webhookIds === undefined) {
        return [
          {
            webhookId: 0,
            ...(parts.activity && { activity: hours.all(0, tenant).filter(within) }),
            ...(parts.waiting && { waiting: waiting(waitingOf.all({ id: null, tenant })) }),
          },
        ];
      }
      const rows = times.all(JSON.stringify(webhookIds));
      return rows.map(({ webhookId, pausedUntilMs, ...ends }) => {
        const leftMs = pausedUntilMs - pausedAt;
        const pausedUntil =
          leftMs > 0 && leftMs <= MAX_PAUSE_MS ? new Date(pausedUntilMs).toISOString() : null;
        const byHour = hours.all(webhookId, null);
        const { pending, ...recent } = sumOf(byHour, parts.healthSince);
        return {
          webhookId,
          ...(parts.counts && { counts: sumOf(byHour) }),
          ...(parts.healthSince && { health: { ...recent, ...ends } }),
          ...(parts.waiting && { waiting: waiting(waitingOf.all({ id: webhookId, tenant })) }),
          ...(parts.lastDelivery && {
            lastDelivery: last.all(webhookId).map(summaryOf)[0] ?? null,
          }),
          ...(pausedAt !== undefined && { pausedUntil }),
          ...(parts.failureRun && {
            failureRun: runs.all(webhookId).map(shownBy(parts.failureRun))[0] ?? null,
          }),
          ...(parts.activity && { activity: byHour.filter(within) }),
        };
      });
    },

    findDeliveries({ limit, maxScanned, before, withContent, ...filters }) {
      const isAcross = filters.webhookId === undefined;
      const order = isAcross ? 'created_at desc, id desc' : 'id desc';
      const after = isAcross ? '(created_at, id) < (@createdAt, @id)' : 'id < @id';
      const conditions = Object.keys(filters).map((filter) => CONDITIONS[filter]);
      const within = Object.keys(filters).filter((filter) => SCANNED.includes(filter));
      const scanned = `select *, ${['true', ...conditions].join(' and ')} as is_found from deliveries
        where ${[before ? after : 'true', ...within.map((filter) => CONDITIONS[filter])].join(' and ')}
        order by ${order} limit @maxScanned`;
      const values = { ...filters, ...before, maxScanned };
      const read = (rest, bounds) =>
        db
          .prepare(`select ${SUMMARY}, payload, attempt_log as attemptLog from (${scanned})
            ${rest} order by ${order} limit @limit offset @offset`)
          .all({ ...values, ...bounds });
      const rows = read('where is_found', { limit: limit + 1, offset: 0 });
      const deliveries = rows.slice(0, limit).map((row) => ({
        ...summaryOf(row),
        ...(webhookOf.all(row.webhookId)[0] ?? { webhookUrl: null, webhookName: null }),
        ...(withContent && {
          content: { payload: row.payload, attemptLog: JSON.parse(row.attemptLog) },
        }),
      }));
      if (rows.length > limit)
        return { deliveries, next: placeOf(deliveries.at(-1)), isCut: false };
      const [end] = read('', { limit: 1, offset: maxScanned - 1 });
      return { deliveries, next: end ? placeOf(end) : null, isCut: end !== undefined };
    },
  };
}

const CONDITIONS = {
  webhookId: 'webhook_id = @webhookId',
  tenant: OF_TENANT('@tenant'),
  deliveryId: 'delivery_id = @deliveryId',
  status: 'status = @status',
  event: `case when substr(@event, -2) = '.*'
    then substr(event, 1, length(@event) - 1) = substr(@event, 1, length(@event) - 1)
    else event = @event end`,
  error: 'error = @error',
  hasError: "error <> ''",
  statusCode: 'status_code = @statusCode',
  createdFrom: 'created_at >= @createdFrom',
  createdBefore: 'created_at < @createdBefore',
};

/** The filters that say what is scanned: what is outside of them cuts no page. */
const SCANNED = ['webhookId', 'createdFrom', 'createdBefore'];

/** The methods that begin new series of attempts, and those that remove what is old. */
export function retentionMethods(db) {
  const one = db.prepare(`select id, delivery_id as deliveryId, created_at as createdAt, status
    from deliveries where webhook_id = @webhookId and delivery_id = @deliveryId`);
  const failed = db.prepare(`select id, delivery_id as deliveryId, created_at as createdAt
    from deliveries where status = 'failed' and webhook_id in (select id from webhooks where is_active)
      and webhook_id = coalesce(@webhookId, webhook_id)
      and created_at >= @createdSince and created_at < coalesce(@createdBefore, '9')
      and (@ended is null or (completed_at between @ended ->> '$.from' and @ended ->> '$.to'
        and error not in (select value from json_each(@ended, '$.exceptErrors'))))
      and (@events is null or event in (select value from json_each(@events)))
    order by case when @webhookId is null then created_at end, id`);
  const reopen = db.prepare(`update deliveries set status = 'pending', completed_at = null,
    series_start = attempts - deferrals, series_since_ms = @now, due_ms = @now,
    priority_ms = @priorityMs where id = @id`);
  const old = db.prepare(`select ${SUMMARY} from deliveries where created_at < ?
    order by created_at, id limit ?`);
  const busy = db.prepare(`select ${SUMMARY}, series_since_ms as seriesSinceMs,
      (select activation from webhooks where id = webhook_id) as activation
    from deliveries where status = 'pending' and lease_ends_ms <= @now
      and webhook_id in (select id from webhooks where is_active and ${IS_BUSY}
        and failure_run ->> '$.busySince' <= @before
        and iif(failure_run ->> '$.busyAgainAt' = '', failure_run ->> '$.busySince',
          failure_run ->> '$.busyAgainAt') > @asked)
      and (error = 'deferred' or attempts - deferrals <= series_start)
      and coalesce(series_since_ms, unixepoch(created_at, 'subsec') * 1000) <= @beforeMs
    order by id limit @limit`);
  const endBusy = db.prepare(`update deliveries set status = 'failed', error = 'busy',
    completed_at = ?, claim_token = null, lease_ends_ms = 0 where id = ?`);
  // What was due before so many hours in which deliveries were claimed, the present one left out.
  const overdue = db.prepare(`select ${SUMMARY} from deliveries
    where status = 'pending' and lease_ends_ms <= @now
      and priority_ms < (select unixepoch(hour || ':00') * 1000 from claimed_hours
        where hour < @present order by hour desc limit 1 offset @dueForHours - 1)
      and (attempts - deferrals > series_start or error = 'deferred' or webhook_id in
        (select id from webhooks where state ->> '$.webhook.maxPerMinute' or ${IS_FAILING} or ${IS_BUSY}))
    order by priority_ms, id limit @limit`);
  const end = db.prepare(`update deliveries set status = 'failed', error = 'expired',
    completed_at = ?, claim_token = null, lease_ends_ms = 0 where id = ?`);
  const failuresOf = db.prepare(
    'select last_success_at as lastSuccessAt, failure_run as run from webhooks where id = ?',
  );
  const keepFailures = db.prepare(
    'update webhooks set failure_run = ?, last_failure_at = ? where id = ?',
  );
  const remove = db.prepare('delete from deliveries where id = ?');
  const [forgetOld, forgetOfTenant] = ['created_at < ?', `tenant = ? and event <> ''`].map(
    (which) =>
      db.prepare(`delete from idempotency_keys where (tenant, event, key) in
      (select tenant, event, key from idempotency_keys where ${which} limit ?)`),
  );
  const closeTenant = db.prepare(`replace into idempotency_keys values (?, '', '', '', ?)`);

  function reopened(rows, now, priorityMs) {
    for (const { id } of rows) reopen.run({ now, priorityMs, id });
    const deliveries = rows.map(({ id, deliveryId, createdAt }) => ({ id, deliveryId, createdAt }));
    return { outcome: rows.length > 0 ? 'reopened' : 'none', deliveries, count: rows.length };
  }

  /** Ends what waits for recipients that are busy for too long, as failures of their webhooks. */
  function endAllBusy({ busyForMs, askedWithinMs, now, limit, runAfter }) {
    const completedAt = new Date(now).toISOString();
    const end = { status: 'failed', error: 'busy', completedAt, nextAttemptAt: null };
    const beforeMs = now - busyForMs;
    const before = new Date(beforeMs).toISOString();
    const asked = new Date(now - askedWithinMs).toISOString();
    const rows = busy
      .all({ now, before, asked, beforeMs, limit })
      .filter(({ deliveryId }) => !isTestDelivery(deliveryId));
    const expired = rows.map(({ seriesSinceMs, activation, ...row }) => {
      endBusy.run(completedAt, row.id);
      const [{ lastSuccessAt, run }] = failuresOf.all(row.webhookId);
      const failed = { activation, at: completedAt, happened: { failedWith: 'busy' } };
      const after = runAfter(
        JSON.parse(run),
        seriesSinceMs === null ? [failed] : [],
        lastSuccessAt,
      );
      keepFailures.run(JSON.stringify(after), completedAt, row.webhookId);
      return { ...summaryOf(row), ...end };
    });
    return { removed: 0, expired };
  }

  /** Ends what has been due for too long. */
  function expire({ dueForHours, now, limit }) {
    const completedAt = new Date(now).toISOString();
    const rows = overdue.all({ dueForHours, now, limit, present: completedAt.slice(0, 13) });
    for (const { id } of rows) end.run(completedAt, id);
    const ended = { status: 'failed', error: 'expired', completedAt, nextAttemptAt: null };
    return { removed: 0, expired: rows.map((row) => ({ ...summaryOf(row), ...ended })) };
  }

  return {
    reopenDeliveries({ target, now, limit, after, dryRun }) {
      if ('deliveryId' in target) {
        const rows = one.all(target);
        const isPending = rows[0]?.status === 'pending';
        return isPending
          ? { outcome: 'pending', deliveries: [], count: 0 }
          : reopened(rows, now, now);
      }
      const { webhookId = null, createdSince, createdBefore = null, events, ended } = target;
      const times = { createdSince, createdBefore, ended: ended ? JSON.stringify(ended) : null };
      const query = { webhookId, ...times };
      const rows = failed
        .all({ ...query, events: events ? JSON.stringify(events) : null })
        .filter(({ deliveryId }) => !isTestDelivery(deliveryId));
      if (dryRun) return { outcome: 'none', deliveries: [], count: rows.length };
      const rest = rows.filter((row) => after === undefined || isLater(row, after, webhookId));
      return reopened(rest.slice(0, limit), now, now + RETRY_PRIORITY_DELAY_MS);
    },

    purgeDeliveries(request) {
      if ('busyForMs' in request) return endAllBusy(request);
      if ('dueForHours' in request) return expire(request);
      const { createdBefore, now, limit } = request;
      const rows = old.all(createdBefore, limit).map(summaryOf);
      for (const { id } of rows) remove.run(id);
      const completedAt = new Date(now).toISOString();
      const end = { status: 'failed', error: 'expired', completedAt, nextAttemptAt: null };
      const pending = rows.filter(({ status }) => status === 'pending');
      return { removed: rows.length, expired: pending.map((row) => ({ ...row, ...end })) };
    },

    purgeIdempotencyKeys({ createdBefore, tenant, now, limit }) {
      if (tenant === undefined) return forgetOld.run(createdBefore, limit).changes;
      closeTenant.run(tenant, new Date(now).toISOString());
      return forgetOfTenant.run(tenant, limit).changes;
    },
  };
}

const waiting = ([{ dueMs, ...ofAll }]) => ({
  ...ofAll,
  dueAt: dueMs === null ? null : new Date(dueMs).toISOString(),
});
const shownBy =
  (shown) =>
  ({ run, activation, lastSuccessAt }) =>
    shown(JSON.parse(run), activation, lastSuccessAt);
/** Of one webhook by id alone. */
const isLater = (a, b, webhookId) =>
  webhookId !== null || a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt;
const placeOf = ({ createdAt, id }) => ({ createdAt, id });
const isWithin = (hour, { from, to }) => hour >= hourOf(from) && hour <= hourOf(to);
const hourOf = (timestamp) => timestamp && `${timestamp.slice(0, 13)}:00:00.000Z`;

function sumOf(byHour, since = '') {
  const rows = byHour.filter(({ hour }) => hour >= hourOf(since));
  const sum = (status) => rows.reduce((number, row) => number + row[status], 0);
  return { success: sum('success'), failed: sum('failed'), pending: sum('pending') };
}
