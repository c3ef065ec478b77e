/** The most webhooks that are remembered. One that is forgotten begins anew. */
const MAX_REMEMBERED = 1_000;

/** A value for each of the webhooks that were set last, in the order in which they were set. */
export interface RecentWebhooks<Value> {
  get(webhookId: number): Value | undefined;
  /** The webhook set longest ago comes first. */
  ids(): IterableIterator<number>;
  entries(): IterableIterator<[webhookId: number, value: Value]>;
  /** Makes the webhook the last one. Beyond a thousand, the first one is forgotten. */
  set(webhookId: number, value: Value): void;
  delete(webhookId: number): void;
}

export function createRecentWebhooks<Value>(): RecentWebhooks<Value> {
  const values = new Map<number, Value>();
  return {
    get: (webhookId) => values.get(webhookId),
    ids: () => values.keys(),
    entries: () => values.entries(),
    set(webhookId, value) {
      // A map keeps a key in its place: only one that was deleted moves to the end.
      values.delete(webhookId);
      values.set(webhookId, value);
      const [first] = values.size > MAX_REMEMBERED ? values.keys() : [];
      if (first !== undefined) values.delete(first);
    },
    delete: (webhookId) => void values.delete(webhookId),
  };
}
