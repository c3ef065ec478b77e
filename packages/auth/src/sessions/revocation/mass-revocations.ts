/**
 * The most users that are remembered. A log-in takes about a second, and in that time few users
 * have all their sessions ended.
 */
const MAX_USERS = 10_000;

/**
 * Orders, within this process, log-ins and the calls that end all sessions of a user. Times in
 * whole seconds cannot order two events of one second.
 */
export interface MassRevocations {
  /** Returns the current point in the order, for {@link MassRevocations.hasHappenedSince}. */
  point(): number;
  /** Records that all sessions of the user end now. Log-ins that began before are refused. */
  add(uid: string): void;
  /**
   * Returns true if all sessions of the user were ended since the point, or if that is unknown
   * because too many users were recorded.
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
