import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { type Recipients, simulate } from './pace-simulation.ts';

const NEVER = Number.POSITIVE_INFINITY;
const MINUTE = 60_000;

const healthy: Recipients = { name: 'healthy', webhooks: 100, everyMs: 1_000, answerMs: () => 50 };
const backlogs = (name: string, webhooks: number, ms: number): Recipients => {
  return { name, webhooks, everyMs: 0, answerMs: () => ms };
};
const hanging = (webhooks: number): Recipients => {
  return { name: 'hanging', webhooks, everyMs: 60_000, allDue: true, answerMs: () => NEVER };
};
const hangingLater = (webhooks: number): Recipients => {
  return { name: 'hanging', webhooks, everyMs: 20_000, answerMs: (_, now) => (now < 20_000 ? 50 : NEVER) };
};

const CASES: readonly (readonly [name: string, others: readonly Recipients[]])[] = [
  ['60 that hang', [hanging(60)]],
  ['1,500 that hang', [hanging(1_500)]],
  ['1,500 that begin to hang', [hangingLater(1_500)]],
  ['12 slow ones with backlogs', [backlogs('slow', 12, 100)]],
  ['one with a backlog', [backlogs('busy', 1, 20)]],
  ['30 that take 1.9 s, with backlogs', [backlogs('slow', 30, 1_900)]],
  [
    '5 that alternate',
    [{ name: 'alternating', webhooks: 5, everyMs: 500, answerMs: (n) => (n % 2 ? 2_500 : 5) }],
  ],
];

describe('healthy recipients in a simulation of a process', () => {
  inOneTest(CASES)(
    'wait after a minute no more than twice as long beside %s',
    (_, others) => {
      const waits =
        simulate([healthy, ...others], { seconds: 70 })
          .get('healthy')
          ?.waits(MINUTE, 69_000) ?? [];
      expect(waits.length).toBe(900);
      // 5 ms until the claim, and 50 ms until the answer.
      expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThanOrEqual(110);
      expect(waits.at(-1)).toBeLessThanOrEqual(1_000);
    },
    240_000,
  );

  it('are all served within 45 s of a cold start beside 1,500 that hang', () => {
    const outcome = simulate([{ ...healthy, everyMs: 300_000, allDue: true }, hanging(1_500)], {
      seconds: 50,
    });
    expect(outcome.get('healthy')?.lastServedAt).toBeLessThan(45_000);
  }, 240_000);
});

describe('a customer beside another one with backlogs', () => {
  const ofB: Recipients = { ...backlogs('b', 1, 20), tenant: 'b' };
  const servedOfB = (others: readonly Recipients[]) =>
    simulate([ofB, ...others], { seconds: 30 }).get('b')?.attempts ?? 0;

  inOneTest([
    [1, 50],
    [20, 50],
    [20, 200],
    [20, 900],
    [100, 50],
    [100, 240],
    [2_000, 50],
  ])(
    'is served at least 0.8 times as fast as alone: %s webhooks of the other one that take %s ms',
    (webhooks, ms) => {
      const ofA: Recipients = { ...backlogs('a', webhooks, ms), tenant: 'a' };
      expect(servedOfB([ofA])).toBeGreaterThanOrEqual(0.8 * servedOfB([]));
    },
    240_000,
  );
});
