/** What a hook has done, by its own count. */
export interface HookTally {
  /** How often work was done. */
  readonly done: number;
  /** How often of that for a delivery whose work had been done before. */
  readonly twice: number;
  /** Requests that were recognised by their id, and did nothing. */
  readonly repeated: number;
}

/** Counts what the hooks do. */
export interface Tally {
  worked(hook: string, deliveryId: string): void;
  recognised(hook: string): void;
  read(): Readonly<Record<string, HookTally>>;
}

const MAX_HOOKS = 100;

export function createTally(): Tally {
  const hooks = new Map<string, { readonly ids: Set<string>; done: number; repeated: number }>();

  function of(hook: string) {
    const counts = hooks.get(hook) ?? { ids: new Set<string>(), done: 0, repeated: 0 };
    if (hooks.size < MAX_HOOKS) hooks.set(hook, counts);
    return counts;
  }

  return {
    worked(hook, deliveryId) {
      const counts = of(hook);
      counts.done += 1;
      counts.ids.add(deliveryId);
    },
    recognised(hook) {
      of(hook).repeated += 1;
    },
    read() {
      const entries = [...hooks].map(([hook, { ids, done, repeated }]) => {
        return [hook, { done, twice: done - ids.size, repeated }] as const;
      });
      return Object.fromEntries(entries);
    },
  };
}
