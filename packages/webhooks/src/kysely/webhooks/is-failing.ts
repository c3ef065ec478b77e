import { type RawBuilder, sql } from 'kysely';
import { TOTAL } from '../counters/count-changes.ts';
import { nameInSql } from '../names.ts';

/** 1 if the webhook's last delivery that ended failed, and 0 otherwise: its totals are read. */
export function isFailing(): RawBuilder<number> {
  return sql<number>`coalesce((
    select case when max(total.last_failure_at) > max(total.last_success_at) then 1 else 0 end
    from ${ACTIVITY} as total
    where total.webhook_id = ${WEBHOOKS}.id and total.hour = ${sql.lit(TOTAL)}), 0)`;
}

const ACTIVITY = nameInSql('webhook_activity');
const WEBHOOKS = nameInSql('webhooks');
