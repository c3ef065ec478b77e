/** What a user typed, and what is lost with its page. */
export interface UnsavedInput {
  /** Stores it for the way back from the log-in page. */
  readonly store: () => void;
  /** Asks the user whether to discard it, and calls `leave` then. */
  readonly ask: (leave: () => void) => void;
}

/** What is on the page and would be lost with it: what was typed, and secrets. */
export interface Holds {
  /**
   * Has the browser ask before it leaves the page: for what was typed, for a secret, which is never
   * stored, and for a request that is answered with one. Returns a function that ends this.
   */
  hold(held: UnsavedInput | 'secret' | 'request'): () => void;
  hasSecret(): boolean;
  /** Calls `leave`, a way to another page of the panel, once it loses nothing that was typed. */
  leave(leave: () => void): void;
  /** Stores what was typed. */
  store(): void;
  /** Has the browser leave the page unasked. */
  release(): void;
}

export function createHolds(): Holds {
  const holds = new Set<{ readonly held: Parameters<Holds['hold']>[0]; readonly href: string }>();
  const typed = () =>
    [...holds].flatMap(({ held, href }) => (typeof held === 'string' ? [] : { ...held, href }));
  const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();
  const release = () => removeEventListener('beforeunload', askFirst);

  // Before the router hears of it: a step in the history cannot be prevented, but undone.
  addEventListener('popstate', (event) => {
    const [input] = typed();
    if (input === undefined || location.href === input.href) return;
    event.stopImmediatePropagation();
    history.pushState(history.state, '', input.href);
    input.ask(() => history.back());
  });

  return {
    hold(held) {
      const hold = { held, href: location.href };
      holds.add(hold);
      addEventListener('beforeunload', askFirst);
      return () => {
        holds.delete(hold);
        if (holds.size === 0) release();
      };
    },
    hasSecret: () => [...holds].some(({ held }) => held === 'secret'),
    leave(leave) {
      const [input] = typed();
      if (input === undefined) leave();
      else input.ask(leave);
    },
    store() {
      for (const { store } of typed()) store();
    },
    release,
  };
}
