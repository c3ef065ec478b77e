/** Calls of one engine's `look`, one at a time. */
export interface Looks {
  /** From now on this is what is called; nothing, when undefined: those who wait then resolve without a look. */
  call(look: (() => Promise<void>) | undefined): void;
  /** Resolves once a look that began after this call has ended. Callers of one moment share it. */
  look(): Promise<void>;
  /** The number of the look that a call of `look` would wait for; numbers ascend. */
  next(): number;
  /** The number of the last look that has ended. */
  ended(): number;
  /** Resolves when no look is under way. */
  idle(): Promise<void>;
}

/** @internal */
export function createLooks(): Looks {
  let callback: (() => Promise<void>) | undefined;
  let current: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  let begun = 0;
  let ended = 0;

  async function run(): Promise<void> {
    begun += 1;
    const number = begun;
    try {
      await callback?.();
    } catch {
      // A look reports its own failures; it must not prevent the next one.
    }
    ended = number;
  }

  return {
    call(look) {
      callback = look;
    },
    look() {
      waiting ??= current.then(() => {
        waiting = undefined;
        current = run();
        return current;
      });
      return waiting;
    },
    next: () => begun + 1,
    ended: () => ended,
    idle: () => current,
  };
}
