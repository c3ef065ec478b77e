import { describe, expect, it, vi } from 'vitest';
import { createIds, drawIds, firstIds, ID_LENGTH } from '../../src/storage/delivery-ids.ts';

describe('ids of deliveries', () => {
  it('are UUIDs of version 7 without hyphens, made now', () => {
    const before = Date.now();
    const [id = ''] = firstIds(drawIds(1), 1);
    const after = Date.now();
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}8[0-9a-f]{15}$/);
    const madeAt = Number.parseInt(id.slice(0, 12), 16);
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(after);
  });

  it('have the length of the example of RFC 9562, and its layout', () => {
    vi.useFakeTimers({ now: 0x017f22e279b0, toFake: ['Date'] });
    try {
      // https://www.rfc-editor.org/rfc/rfc9562#appendix-A.6
      const example = '017F22E2-79B0-7CC3-98C4-DC0C0C07398F'.replaceAll('-', '').toLowerCase();
      const id = drawIds(1);
      expect(id).toHaveLength(example.length);
      expect(id.slice(0, 13)).toBe(example.slice(0, 13));
    } finally {
      vi.useRealTimers();
    }
  });

  it('differ, in one draw and in several', () => {
    const next = createIds();
    const ids = [...firstIds(drawIds(500), 500), ...Array.from({ length: 500 }, next)];
    expect(new Set(ids).size).toBe(1_000);
    expect(new Set(ids.map((id) => id.slice(13))).size).toBe(1_000);
    for (const id of ids) expect(id).toHaveLength(ID_LENGTH);
  });
});
