import type { Kysely, Transaction } from 'kysely';
import { connectionDestroyer } from '../../../toolkit/src/kysely/pool-signals.ts';
import {
  TABLE_NAME_OPTIONS,
  type TableNameOptions,
} from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { retryContention } from '../../../toolkit/src/retry-contention.ts';
import type { SqlTransaction } from '../../../toolkit/src/transactions/sql-transaction.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { createClaiming } from './claim/claim-deliveries.ts';
import { readOverview } from './counters/read-overview.ts';
import { readRevision } from './counters/webhook-revision.ts';
import { accessDatabase } from './database-access.ts';
import { notingHours } from './deliveries/claimed-hours.ts';
import { findDeliveries } from './deliveries/find-deliveries.ts';
import { createPurging } from './deliveries/purge-deliveries.ts';
import { reopenDeliveries } from './deliveries/reopen-deliveries.ts';
import { stepBacklogs } from './deliveries/step-backlogs.ts';
import { createKeyPurging } from './dispatch/purge-idempotency-keys.ts';
import { createDispatching } from './dispatch/record-dispatches.ts';
import { stepFailures } from './failures/change-runs.ts';
import { recordAttempts } from './results/record-attempts.ts';
import { assertFit, assertMigrated, assertWritable } from './schema/assert-ready.ts';
import { removeWebhook } from './webhooks/remove-webhook.ts';
import { changeWebhook, createWebhook, findWebhook, listWebhooks } from './webhooks/webhook-rows.ts';

/**
 * Keeps webhooks and deliveries in the host's own database, in the tables that `migrateWebhooks`
 * creates.
 *
 * Takes the application's `Kysely` instance as it is, whatever its tables and plugins (statements
 * bypass plugins). An application without Kysely makes one over the pool that it has: `new
 * Kysely({ dialect: new PostgresDialect({ pool: boundedPool(pool) }) })`. The storage opens and
 * closes nothing: the instance stays the host's.
 *
 * A dispatch takes a `Transaction` of that instance, or one of another driver or ORM on the same
 * database, by a function of `@acme/webhooks/transactions`.
 *
 * **SQLite**, 3.35 or later: several processes may share one file. Set `journal_mode = WAL`,
 * `synchronous = NORMAL` and a `busy_timeout` of 250 ms (libsql: 5,000 ms), while which the driver
 * blocks the process. A transaction that still finds the database locked is tried again for 2 s.
 * Kysely has one SQLite connection: inside a transaction of your own, pass it as `transaction`.
 *
 * **PostgreSQL**, 15 or later, with `pg` or any driver that fits Kysely's `PostgresDialect`;
 * **MySQL**, 8.0.17 or later, and **MariaDB**, 10.6 or later, with `mysql2`. Claims lock rows with
 * `skip locked`, and any number of processes share the work. The database's clock decides what is
 * due and when a lease ends. Transactions of the storage are `read committed`, also if the host's
 * default is another level. Statements outside of one do not depend on it. Deadlocks, serialisation
 * failures and lock waits are tried again as above.
 *
 * `tablePrefix` goes before the name of every table: for an application that has a table `webhooks`
 * of its own, or two applications in one database. On PostgreSQL `schema` names the schema of the
 * tables; without it they are those that `search_path` finds. Give `migrateWebhooks` the same
 * options. An instance or a transaction from `withSchema` is refused unless `schema` is given,
 * which then counts alone.
 *
 * On MySQL and MariaDB `max_allowed_packet` must be 16 MiB or more, as the defaults are.
 *
 * `start()` refuses a database that is not migrated, a role that lacks a privilege on one of the
 * tables, which it tries without writing, and settings that would damage what is kept, by name.
 *
 * A dispatch on your transaction locks nothing but its idempotency key: until you commit, other
 * dispatches, claims and results go on, and webhooks are changed and removed. When it rejects, roll
 * back: part of it may be written. A transaction of another Kysely instance is refused.
 *
 * Signing secrets are stored in plain text, since every delivery needs them: anyone who reads the
 * table `webhooks` can sign. Encrypt at the database or the disk if that matters.
 *
 * @throws TypeError when `db` is no supported database, a transaction instead of an instance, or
 *   comes from `withSchema`; when an option is unknown or out of bounds
 */
export function kyselyStorage<DB>(
  db: Kysely<DB>,
  options: TableNameOptions = {},
): WebhookStorage<Transaction<DB> | SqlTransaction> {
  refuseUnknownOptions('kyselyStorage', options, TABLE_NAME_OPTIONS);
  const access = accessDatabase(db, options);
  const { dialect, naming } = access;
  const { claimDueDeliveries, dueSummary } = createClaiming(access);
  return {
    assertReady: () =>
      retryContention(dialect, async () => {
        await db.connection().execute(connectionDestroyer);
        await assertFit(dialect, db);
        await assertWritable(dialect, db);
        await assertMigrated(dialect, naming, db);
        await access.learnDatabase();
      }),

    createWebhook: (webhook) => createWebhook(access, webhook),
    findWebhook: (id, tenant) => findWebhook(access, id, tenant),
    listWebhooks: (query) => listWebhooks(access, query),
    changeWebhook: (id, change) => changeWebhook(access, id, change),
    deleteWebhook: (id, expectedUpdatedAt) => removeWebhook(access, id, expectedUpdatedAt),

    readOverview: (query) => readOverview(access, query),
    readRevision: (webhookIds, scope) => readRevision(access, webhookIds, scope),

    findDeliveries: (search) => findDeliveries(access, search),

    recordDispatches: createDispatching(access),

    reopenDeliveries: (request) => reopenDeliveries(access, request),
    dueSummary,
    claimDueDeliveries: notingHours(access, claimDueDeliveries),

    recordAttempts: (records, rules) => recordAttempts(access, records, rules),
    stepFailures: (request) => stepFailures(access, request),
    stepBacklogs: (step) => stepBacklogs(access, step),

    ...createPurging(access),
    ...createKeyPurging(access),
  };
}
