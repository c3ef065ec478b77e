/** A bounded number of attempts at once, and whose they are. */
export interface Slots {
  /** How many more may begin now. */
  free(): number;
  /** How many are under way, by webhook; webhooks without any are not in it. */
  byWebhook(): ReadonlyMap<number, number>;
  /** How many are under way in all. */
  occupied(): number;
  occupy(webhookId: number, work: Promise<void>): void;
  /** Waits until all are free. */
  empty(): Promise<void>;
}

/** @param onRelease called for every slot that becomes free, after it is counted as free */
export function createSlots(count: number, onRelease: (webhookId: number) => void): Slots {
  const works = new Set<Promise<void>>();
  const counts = new Map<number, number>();

  function add(webhookId: number, change: 1 | -1): void {
    const left = (counts.get(webhookId) ?? 0) + change;
    if (left === 0) counts.delete(webhookId);
    else counts.set(webhookId, left);
  }

  return {
    free: () => count - works.size,
    byWebhook: () => counts,
    occupied: () => works.size,
    occupy(webhookId, work) {
      add(webhookId, 1);
      const slot = work.finally(() => {
        works.delete(slot);
        add(webhookId, -1);
        onRelease(webhookId);
      });
      works.add(slot);
    },
    async empty() {
      while (works.size > 0) await Promise.all(works);
    },
  };
}
