/** How long orders go on after nobody has looked. */
const LOOKED_MS = 5_000;

/** Places an order every two seconds while somebody looks at the show. */
export interface OrderTicker {
  /** Somebody looks. */
  looked(): void;
  /** Whether orders are placed while somebody looks. */
  isOn: boolean;
  /** How many were placed since the start. */
  placed(): number;
}

/** @param place places one order; it may reject, and the next one is tried all the same */
export function createOrderTicker(place: () => Promise<unknown>, everyMs: number): OrderTicker {
  let placed = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isPlacing = false;
  const tick = async () => {
    if (!ticker.isOn || isPlacing || performance.now() - lookedAt > LOOKED_MS) return;
    isPlacing = true;
    await place().then(
      () => {
        placed += 1;
      },
      (error: unknown) => console.error('The shop could not place an order:', error),
    );
    isPlacing = false;
  };
  setInterval(() => void tick(), everyMs).unref();
  const ticker: OrderTicker = {
    isOn: true,
    looked() {
      lookedAt = performance.now();
    },
    placed: () => placed,
  };
  return ticker;
}
