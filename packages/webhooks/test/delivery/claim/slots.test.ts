import { describe, expect, it } from 'vitest';
import { createSlots } from '../../../src/delivery/claim/slots.ts';

describe('slots', () => {
  it('are counted by webhook, and tell whose is free when it is', () => {
    const released: [number, number][] = [];
    const slots = createSlots(3, (webhookId) => released.push([webhookId, slots.free()]));
    for (const webhookId of [7, 7, 8]) slots.occupy(webhookId);
    expect([slots.occupied(), slots.free()]).toEqual([3, 0]);
    expect([...slots.byWebhook()]).toEqual([
      [7, 2],
      [8, 1],
    ]);
    for (const webhookId of [7, 7, 8]) slots.release(webhookId);
    expect(released).toEqual([
      [7, 1],
      [7, 2],
      [8, 3],
    ]);
    expect(slots.byWebhook().size).toBe(0);
  });
});
