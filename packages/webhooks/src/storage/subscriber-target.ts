/** The tenants of a {@link SubscriberTarget} that names none. */
export const HOST_ONLY: readonly string[] = Object.freeze(['']);

/** The subscribers of an event. */
export interface SubscriberTarget {
  /** At most 65: see `patternsMatching`. */
  readonly patterns: readonly string[];
  /**
   * At most 2, compared byte by byte; '' stands for the host's own webhooks, and an empty list
   * reaches nobody. Default: `['']`. A webhook of any other tenant is not even read.
   */
  readonly tenants?: readonly string[];
}
