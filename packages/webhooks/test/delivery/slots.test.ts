import { describe, expect, it } from 'vitest';
import { createSlots } from '../../src/delivery/slots.ts';

describe('slots', () => {
  it('are slow from the second round after theirs until they are free', () => {
    const slots = createSlots(10, () => undefined);
    slots.beginRound();
    const [first, second] = [slots.occupy(1), slots.occupy(1)];
    slots.beginRound();
    const third = slots.occupy(2);
    expect(slots.slow()).toBe(0);
    slots.release(1, second);
    slots.beginRound();
    expect(slots.slow()).toBe(1);
    slots.beginRound();
    expect(slots.slow()).toBe(2);
    slots.release(1, first);
    expect(slots.slow()).toBe(1);
    slots.release(2, third);
    expect([slots.slow(), slots.occupied(), slots.free()]).toEqual([0, 0, 10]);
  });

  it('are counted by webhook, and tell whose is free when it is', () => {
    const released: [number, number][] = [];
    const slots = createSlots(3, (webhookId) => released.push([webhookId, slots.free()]));
    const rounds = [slots.occupy(7), slots.occupy(7), slots.occupy(8)];
    expect([...slots.byWebhook()]).toEqual([
      [7, 2],
      [8, 1],
    ]);
    for (const [index, round] of rounds.entries()) slots.release(index === 2 ? 8 : 7, round);
    expect(released).toEqual([
      [7, 1],
      [7, 2],
      [8, 3],
    ]);
    expect(slots.byWebhook().size).toBe(0);
  });
});
