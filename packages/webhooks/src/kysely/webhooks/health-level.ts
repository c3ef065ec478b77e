import { type RawBuilder, sql } from 'kysely';
import { MIN_FAILURES, SUCCESSES_PER_FAILURE } from '../../storage/failure-run.ts';
import { hourOf, TOTAL } from '../counters/count-changes.ts';
import { isOngoing } from '../counters/failure-runs.ts';
import { nameInSql } from '../names.ts';

/** The level of a webhook by its index, as `levelOf` has it: its counters of a day are read. */
export function levelIndex(since = ''): RawBuilder<number> {
  const ofWebhook = sql`webhook_id = ${WEBHOOKS}.id`;
  return sql<number>`case
    when exists (select 1 from ${FAILURES} as run where run.${ofWebhook}
      and run.failed >= ${sql.lit(MIN_FAILURES)} and ${isOngoing(sql`${WEBHOOKS}.activations`)}) then 2
    when (select sum(day.success) - ${sql.lit(SUCCESSES_PER_FAILURE)} * sum(day.failed)
      from ${ACTIVITY} as day where day.${ofWebhook}
      and day.hour > ${sql.lit(TOTAL)} and day.hour >= ${hourOf(since)}) < 0 then 1
    else 0 end`;
}

const ACTIVITY = nameInSql('webhook_activity');
const FAILURES = nameInSql('webhook_failures');
const WEBHOOKS = nameInSql('webhooks');
