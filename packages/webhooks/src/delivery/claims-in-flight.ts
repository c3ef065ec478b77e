/**
 * The claims of this process whose result is not recorded yet: an attempt is under way, or its
 * result is being written. Each is the token of a delivery's last claim.
 */
export interface ClaimsInFlight {
  count(): number;
  /** Keeps the token; false if the delivery had a claim in flight already. */
  add(id: number, claimToken: string): boolean;
  tokenOf(id: number): string | undefined;
  remove(id: number): void;
  /** Waits until no claim is in flight. */
  none(): Promise<void>;
}

/** @internal */
export function createClaimsInFlight(): ClaimsInFlight {
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
