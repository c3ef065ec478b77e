import { WebhookError } from '@acme/webhooks';
import {
  BUSY_DEGRADED_MS,
  BUSY_DOWN_MS,
  MIN_FAILURES,
  SUCCESSES_PER_FAILURE,
  TENANT_CLOSED_MS,
} from '@acme/webhooks/storage';
import { IS_BUSY, IS_FAILING } from './delivery-methods.mjs';

const LEVELS = ['healthy', 'degraded', 'down'];

const busyFor = (ms) =>
  `(${IS_BUSY} and unixepoch(failure_run ->> '$.busySince', 'subsec') * 1000 <= @now - ${ms})`;
const IS_BUSY_DOWN = `(${busyFor(BUSY_DOWN_MS)} and failure_run ->> '$.busyAgainAt' <> '')`;
const IS_DOWN = `(${IS_FAILING} and failure_run ->> '$.failed' >= ${MIN_FAILURES})`;

/** The level of a webhook by its index. */
const LEVEL = `(case when ${IS_DOWN} or ${IS_BUSY_DOWN} then 2
  when ${busyFor(BUSY_DEGRADED_MS)} then 1
  when (select sum(status = 'success') - ${SUCCESSES_PER_FAILURE} * sum(status = 'failed')
    from deliveries where webhook_id = webhooks.id and created_at >= @since) < 0 then 1
  else 0 end)`;

/** Since when a webhook is down; '' if it is not. */
const DOWN_SINCE = `case ${LEVEL} when 2 then min(iif(${IS_DOWN}, failure_run ->> '$.since', '9'),
  iif(${IS_BUSY_DOWN}, failure_run ->> '$.busySince', '9')) else '' end`;

/** Whether something waits at a webhook that is not healthy. */
const IS_WAITING = `${LEVEL} > 0 and exists (
  select 1 from deliveries where webhook_id = webhooks.id and status = 'pending')`;

/** Whether something may be wrong with a webhook, as a query with `unwell` asks. */
const IS_UNWELL = `iif(is_active, (${LEVEL} = 2 and failure_run ->> '$.lastAt' > @unwell ->> '$.since')
  or ${busyFor(BUSY_DEGRADED_MS)}
  or exists (select 1 from deliveries where webhook_id = webhooks.id and (
    (status = 'failed' and created_at >= @since) or (status = 'pending'
      and ((@unwell ->> '$.retries' and priority_ms > @unwell ->> '$.now')
      or priority_ms < (@unwell ->> '$.now') - (@unwell ->> '$.overdueMs'))))),
  state ->> '$.webhook.inactiveReason' <> ''
    and state ->> '$.webhook.inactiveSince' > @unwell ->> '$.since')`;

/** The methods that register, change and remove webhooks. */
export function webhookMethods(db) {
  const ofTenant = db.prepare('select count(*) as count from webhooks where tenant = ?');
  const closed = db.prepare(
    `select created_at from idempotency_keys where tenant = ? and event = ''`,
  );
  const select = db.prepare('select state from webhooks where id = ?');
  const insert = db.prepare(`insert into webhooks (state) values ('{}')`);
  const write = db.prepare('update webhooks set state = ? where id = ?');
  const removals = ['deliveries where webhook_id', 'webhooks where id'].map((rows) =>
    db.prepare(`delete from ${rows} = ?`),
  );

  function stateOf(id) {
    const [row] = select.all(id);
    return row && JSON.parse(row.state);
  }

  return {
    createWebhook({ secret, tenant = '', maxOfTenant, ...fields }) {
      if (maxOfTenant !== undefined) {
        const openMs = Date.parse(closed.get(tenant)?.created_at) + TENANT_CLOSED_MS;
        if (Date.parse(fields.createdAt) < openMs) throw tenantClosed();
        if (ofTenant.get(tenant).count >= maxOfTenant) throw tooMany(maxOfTenant);
      }
      const id = Number(insert.run().lastInsertRowid);
      const { isActive, createdAt } = fields;
      const inactive = { inactiveReason: '', inactiveSince: isActive ? null : createdAt };
      const webhook = {
        id,
        tenant,
        name: '',
        maxPerMinute: null,
        ...fields,
        ...inactive,
        previousSecretExpiresAt: null,
        updatedAt: createdAt,
      };
      const state = { webhook, secret, previousSecret: null, activation: 0 };
      write.run(JSON.stringify(state), id);
      return webhook;
    },

    findWebhook(id, tenant) {
      const webhook = stateOf(id)?.webhook;
      return tenant === undefined || webhook?.tenant === tenant ? webhook : undefined;
    },

    listWebhooks({
      tenant,
      tenantAfter,
      search = '',
      searchPatterns = [],
      searchPrefix,
      isActive,
      patterns,
      level,
      healthSince = '',
      now = 0,
      unwell,
      ...page
    }) {
      const { sort, order, limit, offset } = page;
      // lower() folds ASCII letters and no others.
      const matching = `from webhooks
        where (instr(lower(url || char(10) || name || char(10) || description), lower(@search)) > 0
            or (@tenant is null and instr(lower(tenant), lower(@search)) > 0)
            or exists (select * from json_each(state, '$.webhook.events')
              where value in (select value from json_each(@searchPatterns))
                or substr(value, 1, length(@searchPrefix)) = @searchPrefix))
          and tenant = coalesce(@tenant, tenant)
          and (@tenantAfter is null or tenant > @tenantAfter)
          and is_active = coalesce(@isActive, is_active)
          and (@unwell is null or ${IS_UNWELL})
          and (@level is null or ${LEVEL} = @level)
          and (@patterns is null or exists (select * from json_each(state, '$.webhook.events')
            where value in (select value from json_each(@patterns))))`;
      const values = {
        search,
        searchPatterns: JSON.stringify(searchPatterns),
        searchPrefix: searchPrefix ?? null,
        tenant: tenant ?? null,
        tenantAfter: tenantAfter ?? null,
        isActive: isActive === undefined ? null : Number(isActive),
        level: level === undefined ? null : LEVELS.indexOf(level),
        since: healthSince.slice(0, 13),
        now,
        unwell: unwell ? JSON.stringify(unwell) : null,
        patterns: patterns === undefined ? null : JSON.stringify(patterns),
      };
      const longest = order === 'asc' ? 'desc' : 'asc';
      const by =
        sort === 'level'
          ? `${LEVEL} ${order}, ${IS_WAITING} ${order}, ${DOWN_SINCE} ${longest}`
          : `${sort} ${order}`;
      const rows = db
        .prepare(`select state ${matching} order by ${by}, id ${order} limit @limit offset @offset`)
        .all({ ...values, limit, offset });
      const [{ total }] = db.prepare(`select count(*) as total ${matching}`).all(values);
      return { webhooks: rows.map(({ state }) => JSON.parse(state).webhook), total };
    },

    changeWebhook(id, change) {
      const state = stateOf(id);
      const changed = state && change(state);
      if (changed === undefined) return undefined;
      write.run(JSON.stringify(changed), id);
      return changed.webhook;
    },

    deleteWebhook(id, expectedUpdatedAt) {
      const updatedAt = stateOf(id)?.webhook.updatedAt;
      if (updatedAt === undefined || updatedAt !== (expectedUpdatedAt ?? updatedAt)) return false;
      for (const removal of removals) removal.run(id);
      return true;
    },
  };
}

const tooMany = (max) =>
  new WebhookError('too_many_webhooks', `There may be ${max} webhooks at most`);
const tenantClosed = () =>
  new WebhookError('rate_limited', 'The tenant was removed a moment ago', {
    retryAfterMs: TENANT_CLOSED_MS,
  });
