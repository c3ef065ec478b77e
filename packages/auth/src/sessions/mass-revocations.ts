/** Users that are remembered: a log-in takes a second or so, and few users are logged out everywhere in it. */
const MAX_USERS = 10_000;

/**
 * The order of log-ins and of calls that end all sessions of a user, in this process: within one second, too, which
 * times in whole seconds do not tell.
 */
export interface MassRevocations {
  /** A point in the order, for {@link MassRevocations.hasHappenedSince}. */
  point(): number;
  /** From here on, what the user began before is overtaken. */
  add(uid: string): void;
  /** Tells whether all sessions of the user were ended since the point. When in doubt, they were. */
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
