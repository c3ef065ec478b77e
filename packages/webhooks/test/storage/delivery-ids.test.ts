import { describe, expect, it, vi } from 'vitest';
import { deliveryIdOf, deliveryIdRange, generateDispatchId } from '../../src/storage/delivery-ids.ts';
import { isTestDelivery } from '../../src/test-deliveries.ts';

/** The ids of one dispatch's deliveries. */
function draw(webhookIds: readonly number[], dispatchId = generateDispatchId()): string[] {
  return webhookIds.map((webhookId) => deliveryIdOf(dispatchId, webhookId));
}

describe('ids of deliveries', () => {
  it('are UUIDs of version 7 without hyphens, made now', () => {
    const before = Date.now();
    const [id = ''] = draw([1]);
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
      const [id = ''] = draw([1]);
      expect(id).toHaveLength(example.length);
      expect(id.slice(0, 13)).toBe(example.slice(0, 13));
    } finally {
      vi.useRealTimers();
    }
  });

  it('are the same at every try, and lie in the range of their dispatch', () => {
    const dispatchId = generateDispatchId();
    const webhookIds = [1, 2, 3, 2 ** 31, 2 ** 32 - 1];
    const ids = draw(webhookIds, dispatchId);
    expect(draw(webhookIds, dispatchId)).toEqual(ids);
    const [first, last] = deliveryIdRange(dispatchId);
    for (const id of ids) expect(first <= id && id <= last).toBe(true);
  });

  it('say whether the delivery is a test', () => {
    const [test = '', other = ''] = [draw([7], generateDispatchId({ isTest: true })), draw([7])].flat();
    expect(test).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}9[0-9a-f]{15}$/);
    expect([test, other, '', '9'.repeat(32)].map(isTestDelivery)).toEqual([true, false, false, false]);
  });

  it('differ among webhooks and among dispatches', () => {
    const webhookIds = Array.from({ length: 10_000 }, (_, i) => i + 1);
    expect(new Set(draw(webhookIds)).size).toBe(10_000);
    const ofOne = webhookIds.flatMap(() => draw([1]));
    expect(new Set(ofOne.map((id) => id.slice(13))).size).toBe(10_000);
  });

  it('do not tell a recipient how far those of others are from its own', () => {
    const distances = Array.from({ length: 1_000 }, () => {
      const [own = '', others = ''] = draw([5, 6]);
      return Number.parseInt(others.slice(24), 16) - Number.parseInt(own.slice(24), 16);
    });
    expect(new Set(distances).size).toBeGreaterThan(990);
  });
});
