/** A bounded number of attempts at once, counted by webhook. */
export interface Slots {
  /** How many more attempts may begin now. */
  free(): number;
  /** How many slots each webhook occupies; webhooks that occupy none are left out. */
  byWebhook(): ReadonlyMap<number, number>;
  /** How many slots are occupied in all. */
  occupied(): number;
  occupy(webhookId: number): void;
  release(webhookId: number): void;
}

/** @param onRelease called for every slot that becomes free, after it is counted as free */
export function createSlots(count: number, onRelease: (webhookId: number) => void): Slots {
  const counts = new Map<number, number>();
  let occupied = 0;

  function add(webhookId: number, change: 1 | -1): void {
    occupied += change;
    const left = (counts.get(webhookId) ?? 0) + change;
    if (left === 0) counts.delete(webhookId);
    else counts.set(webhookId, left);
  }

  return {
    free: () => count - occupied,
    byWebhook: () => counts,
    occupied: () => occupied,
    occupy: (webhookId) => add(webhookId, 1),
    release(webhookId) {
      add(webhookId, -1);
      onRelease(webhookId);
    },
  };
}
