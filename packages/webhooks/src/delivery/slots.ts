/** A bounded number of attempts at once, and whose they are. */
export interface Slots {
  /** How many more may begin now. */
  free(): number;
  /** How many are under way, by webhook; webhooks without any are not in it. */
  byWebhook(): ReadonlyMap<number, number>;
  /** How many are under way in all. */
  occupied(): number;
  /** How many are under way that began before the round before this one. */
  slow(): number;
  /** What is occupied from now on belongs to another round. */
  beginRound(): void;
  /** Answers the round, which is for `release` to tell. */
  occupy(webhookId: number): number;
  release(webhookId: number, round: number): void;
}

/** @param onRelease called for every slot that becomes free, after it is counted as free */
export function createSlots(count: number, onRelease: (webhookId: number) => void): Slots {
  const counts = new Map<number, number>();
  let occupied = 0;
  let round = 0;
  /** Of `occupied`, those of this round and of the one before. */
  let [ofThis, ofLast] = [0, 0];

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
    slow: () => occupied - ofThis - ofLast,
    beginRound() {
      round += 1;
      [ofThis, ofLast] = [0, ofThis];
    },
    occupy(webhookId) {
      add(webhookId, 1);
      ofThis += 1;
      return round;
    },
    release(webhookId, began) {
      add(webhookId, -1);
      if (began === round) ofThis -= 1;
      else if (began === round - 1) ofLast -= 1;
      onRelease(webhookId);
    },
  };
}
