import { type RawBuilder, sql } from 'kysely';
import type { QueueCount, QueueOf } from '../dialect.ts';

/** The first rows of several queues as one union: SQLite and MariaDB have no `lateral`. */
export function unionOfQueues<Row>(counts: readonly QueueCount[], queueOf: QueueOf<Row>): RawBuilder<Row> {
  const queues = counts.map(
    // Each in a table of its own: SQLite unites no ordered selects.
    ({ webhookId, count }) => sql`select * from (${queueOf(sql`${webhookId}`, sql`${count}`)}) as queue`,
  );
  return sql`(${sql.join(queues, sql` union all `)})`;
}
