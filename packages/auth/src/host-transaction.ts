import type { SqlTransaction } from '../../toolkit/src/transactions/sql-transaction.ts';

/**
 * An open transaction of the host, of the kind that the store knows. Those of `@acme/auth/kysely`
 * know Kysely's `Transaction`, and what `@acme/auth/transactions` makes of one of another driver.
 */
export type HostTransaction = { readonly isTransaction: true } | SqlTransaction;
