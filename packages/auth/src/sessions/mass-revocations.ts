/**
 * Users that are remembered. A log-in takes about a second, and few users are logged out everywhere
 * in it.
 */
const MAX_USERS = 10_000;

/**
 * The order, in this process, of log-ins and of calls that end all sessions of a user. Times in
 * whole seconds cannot tell the order within a second.
 */
export interface MassRevocations {
  /** A point in the order, for {@link MassRevocations.hasHappenedSince}. */
  point(): number;
  /** Records that all sessions of the user end now: log-ins that began before are refused. */
  add(uid: string): void;
  /**
   * Tells whether all sessions of the user were ended since the point. If in doubt, the answer is
   * yes.
   */
  hasHappenedSince(uid: string, point: number): boolean;
}

export function createMassRevocations(): MassRevocations {
  const lastOf = new Map<string, number>();
  let count = 0;
  let forgottenUpTo = 0;
  return {
    point: () => count,

    add(uid) {
      if (lastOf.size >= MAX_USERS && !lastOf.has(uid)) {
        lastOf.clear();
        forgottenUpTo = count;
      }
      count += 1;
      lastOf.set(uid, count);
    },

    hasHappenedSince: (uid, point) => (lastOf.get(uid) ?? forgottenUpTo) > point,
  };
}
