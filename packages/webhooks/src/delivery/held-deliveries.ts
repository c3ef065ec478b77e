/** The deliveries that this process attempts or whose result it is recording, each with the token of its last claim. */
export interface HeldDeliveries {
  count(): number;
  /** Keeps the token; false where the delivery was held already. */
  hold(id: number, claimToken: string): boolean;
  tokenOf(id: number): string | undefined;
  letGo(id: number): void;
  /** Waits until none is held. */
  none(): Promise<void>;
}

/** @internal */
export function createHeldDeliveries(): HeldDeliveries {
  const tokens = new Map<number, string>();
  const onNone: (() => void)[] = [];

  return {
    count: () => tokens.size,
    hold(id, claimToken) {
      const isNew = !tokens.has(id);
      tokens.set(id, claimToken);
      return isNew;
    },
    tokenOf: (id) => tokens.get(id),
    letGo(id) {
      tokens.delete(id);
      if (tokens.size === 0) for (const resolve of onNone.splice(0)) resolve();
    },
    async none() {
      while (tokens.size > 0) await new Promise<void>((resolve) => onNone.push(resolve));
    },
  };
}
