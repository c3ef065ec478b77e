/** When each idempotency key of each event was first seen, and which dispatch brought it. */
export class IdempotencyKeys {
  readonly #firstSeen = new Map<string, { readonly createdAt: string; readonly dispatchId: string }>();

  /** Keeps a key that is new; otherwise answers the id of the dispatch that brought it first. */
  keep(event: string, key: string, createdAt: string, dispatchId: string): string | undefined {
    // Unambiguous whatever characters the two hold.
    const both = JSON.stringify([event, key]);
    const first = this.#firstSeen.get(both);
    if (first !== undefined) return first.dispatchId;
    this.#firstSeen.set(both, { createdAt, dispatchId });
    return undefined;
  }

  /** Forgets at most `limit` keys seen before that time, and answers how many. */
  purge(createdBefore: string, limit: number): number {
    let forgotten = 0;
    for (const [key, { createdAt }] of this.#firstSeen) {
      if (forgotten >= limit) break;
      if (createdAt >= createdBefore) continue;
      this.#firstSeen.delete(key);
      forgotten++;
    }
    return forgotten;
  }
}
