/** When each idempotency key of each event was first seen. */
export class IdempotencyKeys {
  readonly #firstSeen = new Map<string, string>();

  /** Keeps a key; false when it was kept before. */
  keep(event: string, key: string, createdAt: string): boolean {
    // Unambiguous whatever characters the two hold.
    const both = JSON.stringify([event, key]);
    if (this.#firstSeen.has(both)) return false;
    this.#firstSeen.set(both, createdAt);
    return true;
  }

  /** Forgets at most `limit` keys seen before that time, and answers how many. */
  purge(createdBefore: string, limit: number): number {
    let forgotten = 0;
    for (const [key, createdAt] of this.#firstSeen) {
      if (forgotten >= limit) break;
      if (createdAt >= createdBefore) continue;
      this.#firstSeen.delete(key);
      forgotten++;
    }
    return forgotten;
  }
}
