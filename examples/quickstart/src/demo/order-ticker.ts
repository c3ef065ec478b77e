/** Places an order every two seconds while somebody looks. */
export interface OrderTicker {
  isOn: boolean;
  /** How many were placed. */
  readonly placed: number;
  /** Somebody looks. */
  looked(): void;
}

const ORDER_EVERY_MS = 2_000;
/** How long orders go on after the last look. */
const LOOKED_MS = 5_000;

/** @param place places one order; it may reject, and the next one is tried all the same */
export function createOrderTicker(place: (placed: number) => Promise<unknown>): OrderTicker {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isPlacing = false;
  let placed = 0;
  const ticker = {
    isOn: true,
    get placed() {
      return placed;
    },
    looked() {
      lookedAt = performance.now();
    },
  };
  async function tick(): Promise<void> {
    if (!ticker.isOn || isPlacing || performance.now() - lookedAt > LOOKED_MS) return;
    isPlacing = true;
    try {
      await place(placed);
      placed += 1;
    } catch (error) {
      console.error('The shop could not place an order:', error);
    }
    isPlacing = false;
  }
  setInterval(() => void tick(), ORDER_EVERY_MS).unref();
  return ticker;
}
