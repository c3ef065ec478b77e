import {
  changedState,
  MIN_FAILURES,
  SUCCESSES_PER_FAILURE,
  TENANT_CLOSED_MS,
  tenantRemoved,
  tooManyWebhooks,
} from '@acme/webhooks/storage';
import { IS_FAILING } from './delivery-methods.mjs';

const LEVELS = ['healthy', 'degraded', 'down'];

/** The level of a webhook by its index, as `levelOf` has it. */
const LEVEL = `(case when ${IS_FAILING} and failure_run ->> '$.failed' >= ${MIN_FAILURES} then 2
  when (select sum(status = 'success') - ${SUCCESSES_PER_FAILURE} * sum(status = 'failed')
    from deliveries where webhook_id = webhooks.id and created_at >= @since) < 0 then 1
  else 0 end)`;

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
        if (Date.parse(fields.createdAt) < openMs) throw tenantRemoved();
        if (ofTenant.get(tenant).count >= maxOfTenant) throw tooManyWebhooks(maxOfTenant);
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
      isActive,
      patterns,
      level,
      healthSince = '',
      ...page
    }) {
      const { sort, order, limit, offset } = page;
      // lower() folds ASCII letters and no others.
      const matching = `from webhooks
        where (instr(lower(url || char(10) || name || char(10) || description), lower(@search)) > 0
            or exists (select * from json_each(state, '$.webhook.events')
              where value in (select value from json_each(@searchPatterns))))
          and tenant = coalesce(@tenant, tenant)
          and (@tenantAfter is null or tenant > @tenantAfter)
          and is_active = coalesce(@isActive, is_active)
          and (@level is null or ${LEVEL} = @level)
          and (@patterns is null or exists (select * from json_each(state, '$.webhook.events')
            where value in (select value from json_each(@patterns))))`;
      const values = {
        search,
        searchPatterns: JSON.stringify(searchPatterns),
        tenant: tenant ?? null,
        tenantAfter: tenantAfter ?? null,
        isActive: isActive === undefined ? null : Number(isActive),
        level: level === undefined ? null : LEVELS.indexOf(level),
        since: healthSince.slice(0, 13),
        patterns: patterns === undefined ? null : JSON.stringify(patterns),
      };
      const by = sort === 'level' ? LEVEL : sort;
      const rows = db
        .prepare(
          `select state ${matching} order by ${by} ${order}, id ${order} limit @limit offset @offset`,
        )
        .all({ ...values, limit, offset });
      const [{ total }] = db.prepare(`select count(*) as total ${matching}`).all(values);
      return { webhooks: rows.map(({ state }) => JSON.parse(state).webhook), total };
    },

    changeWebhook(id, change) {
      const state = stateOf(id);
      const changed = state && changedState(state, change);
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
