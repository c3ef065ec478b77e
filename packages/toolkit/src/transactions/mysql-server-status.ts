/** Flags of the protocol: SERVER_STATUS_IN_TRANS, SERVER_STATUS_AUTOCOMMIT. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

/**
 * Whether a connection is in a transaction, by mysql2's answer to a statement without rows. True
 * if the answer does not tell.
 */
export function isInTransaction(answer: unknown): boolean {
  const header: unknown = Array.isArray(answer) ? answer[0] : undefined;
  const { serverStatus = IN_TRANSACTION } = (header ?? {}) as { readonly serverStatus?: number };
  return (serverStatus & IN_TRANSACTION) !== 0 || (serverStatus & AUTOCOMMIT) === 0;
}
