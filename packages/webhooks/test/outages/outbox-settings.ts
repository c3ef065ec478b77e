/** What the process of a host is told through its environment, as JSON. */
export interface HostSettings {
  /** Where its database is: see `dialectAt`. */
  readonly url: string;
  readonly killed: 'before the commit' | 'after the commit';
}

/** The variable that holds the settings. */
export const HOST_VARIABLE = 'OUTBOX_HOST';

/** The host's own tables. */
export interface HostTables {
  orders: { id: number };
}

/** What the host writes beside its event. */
export const ORDER = { id: 7 };
