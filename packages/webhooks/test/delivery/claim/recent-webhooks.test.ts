import { describe, expect, it } from 'vitest';
import { createRecentWebhooks } from '../../../src/delivery/claim/recent-webhooks.ts';

describe('recent webhooks', () => {
  it('come in the order in which they were last set', () => {
    const recent = createRecentWebhooks<string>();
    for (const [id, value] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [1, 'd'],
    ] as const) {
      recent.set(id, value);
    }
    recent.delete(3);
    expect([...recent.entries()]).toEqual([
      [2, 'b'],
      [1, 'd'],
    ]);
    expect([...recent.ids()]).toEqual([2, 1]);
    expect([recent.get(1), recent.get(3)]).toEqual(['d', undefined]);
  });

  it('are a thousand: one more forgets the one that was set longest ago', () => {
    const recent = createRecentWebhooks<number>();
    for (let id = 1; id <= 1_000; id += 1) recent.set(id, id);
    recent.set(1, 0);
    expect([...recent.ids()]).toHaveLength(1_000);
    recent.set(1_001, 0);
    expect([...recent.ids()]).toHaveLength(1_000);
    expect([recent.get(1), recent.get(2), recent.get(3)]).toEqual([0, undefined, 3]);
  });
});
