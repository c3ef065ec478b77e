/** What the process of a host is told through its environment, as JSON. */
export interface HostSettings {
  /** Where the `module` of a {@link TransactionHost} is bundled. */
  readonly host: string;
  /** Where its database is: see `dialectAt`. */
  readonly url: string;
  readonly killed: 'before the commit' | 'after the commit';
}

/** The variable that holds the settings. */
export const HOST_VARIABLE = 'TRANSACTION_HOST';

/** What the host writes beside its event. */
export const ORDER = { id: 7 };
export const INSERT_ORDER = 'insert into orders (id) values (7)';
