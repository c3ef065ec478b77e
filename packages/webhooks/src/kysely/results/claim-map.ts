/** A delivery and the claim under which it was attempted. */
interface Claimed {
  readonly id: number;
  readonly claimToken: string;
}

/** Values by delivery and claim. */
export interface ClaimMap<Value> {
  get(claimed: Claimed): Value | undefined;
  set(claimed: Claimed, value: Value): void;
}

/** Nested maps: composing a text as the key takes longer than both. */
export function createClaimMap<Value>(): ClaimMap<Value> {
  const byToken = new Map<string, Map<number, Value>>();
  return {
    get: ({ id, claimToken }) => byToken.get(claimToken)?.get(id),
    set({ id, claimToken }, value) {
      const byId = byToken.get(claimToken);
      if (byId === undefined) byToken.set(claimToken, new Map([[id, value]]));
      else byId.set(id, value);
    },
  };
}
