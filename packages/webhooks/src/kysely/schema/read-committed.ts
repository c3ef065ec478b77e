import type { Kysely, Transaction } from 'kysely';

/**
 * Each statement sees what is committed when it begins, also after it waited for a lock. A host's
 * default may be stricter: workers would then fail and retry instead of waiting for one another,
 * and MySQL would lock gaps.
 */
export function readCommitted<DB, Result>(
  db: Kysely<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('read committed').execute(work);
}
