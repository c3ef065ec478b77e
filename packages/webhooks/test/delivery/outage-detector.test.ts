import { expect, test } from 'vitest';
import { createOutageDetector } from '../../src/delivery/outage-detector.ts';

function harness() {
  const time = { now: 0 };
  return { time, watch: createOutageDetector(() => time.now) };
}

test('nothing is unanswered before three webhooks were', () => {
  const { watch } = harness();
  const seen = [1, 1, 2, 3].map((webhookId) => {
    watch.attempted(webhookId, false);
    return watch.isOutage();
  });
  expect(seen).toEqual([false, false, false, true]);
});

test('one answer, whatever its status, is an answer for a minute', () => {
  const { time, watch } = harness();
  watch.attempted(9, true);
  for (const webhookId of [1, 2, 3]) watch.attempted(webhookId, false);
  time.now = 60_000;
  for (const webhookId of [1, 2, 3]) watch.attempted(webhookId, false);
  expect(watch.isOutage()).toBe(false);
  time.now = 60_001;
  expect(watch.isOutage()).toBe(true);
  watch.attempted(1, true);
  expect(watch.isOutage()).toBe(false);
});

test('attempts of more than a minute ago say nothing', () => {
  const { time, watch } = harness();
  for (const webhookId of [1, 2, 3]) watch.attempted(webhookId, false);
  time.now = 60_001;
  expect(watch.isOutage()).toBe(false);
});
