/** The deliveries that this process attempts or whose result it records, each with the token of its last claim. */
export interface InFlight {
  count(): number;
  /** Keeps the token; false where the delivery was in flight already. */
  add(id: number, claimToken: string): boolean;
  tokenOf(id: number): string | undefined;
  remove(id: number): void;
  /** Waits until none is in flight. */
  none(): Promise<void>;
}

/** @internal */
export function createInFlight(): InFlight {
  const tokens = new Map<number, string>();
  const onNone: (() => void)[] = [];

  return {
    count: () => tokens.size,
    add(id, claimToken) {
      const isNew = !tokens.has(id);
      tokens.set(id, claimToken);
      return isNew;
    },
    tokenOf: (id) => tokens.get(id),
    remove(id) {
      tokens.delete(id);
      if (tokens.size === 0) for (const resolve of onNone.splice(0)) resolve();
    },
    async none() {
      while (tokens.size > 0) await new Promise<void>((resolve) => onNone.push(resolve));
    },
  };
}
