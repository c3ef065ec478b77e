import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { timestampText } from '../../src/clock.ts';
import { createAttempt } from '../../src/delivery/attempt.ts';
import { spread, withPause } from '../../src/delivery/deferral.ts';
import { createRetrySchedule, type RetryOptions } from '../../src/delivery/retry-schedule.ts';
import type { SendResult } from '../../src/egress/send-result.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { AttemptLogEntry } from '../../src/storage/delivery-record.ts';
import { claimedDelivery } from './claimed-delivery.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;
const TEST_DELIVERY_ID = '0123456789ab7cde9f0123456789abcd';

/** The result of an attempt that is answered so. */
async function resultOf(
  statusCode: number,
  retryAfter?: string,
  claimed: Parameters<typeof claimedDelivery>[0] = {},
  retry: RetryOptions = {},
) {
  const answer: SendResult = { kind: 'response', statusCode, body: '', ...(retryAfter && { retryAfter }) };
  const attempt = createAttempt({
    egress: { send: async () => answer },
    retry: createRetrySchedule({ maxAttempts: 2, delaysMs: [7_000], ...retry }, () => 0.5),
    standardHeaders: true,
    userAgent: 'test',
    traceparent: () => undefined,
    clock: () => NOW,
    notifier: createNotifier({}, silentLogger),
    disableOnGone: false,
  });
  return (await attempt(claimedDelivery(claimed))).record;
}

const entry = (attempt: number, fields: Partial<AttemptLogEntry> = {}): AttemptLogEntry => ({
  attempt,
  startedAt: timestampText(NOW - 60_000),
  durationMs: 1,
  statusCode: 429,
  error: 'deferred',
  responseBody: '',
  ...fields,
});

/** Deferrals in a row, the last of which was that attempt. */
const deferrals = (attempt: number, count: number, sinceMs = NOW - 60_000) =>
  entry(attempt, { deferrals: { count, since: timestampText(sinceMs) } });

/** The pause, before it was spread by up to a tenth. */
function expectPause(ms: number | undefined, expected: number): void {
  expect(ms).toBeGreaterThanOrEqual(expected);
  expect(ms).toBeLessThanOrEqual(expected * 1.1);
}

describe('an attempt at a busy recipient', () => {
  inOneTest([
    ['as long as it asks', 429, '120', 120_000],
    ['as long as it asks', 503, '120', 120_000],
    ['the first delay of the schedule, if it does not say', 429, undefined, 7_000],
    ['a second at least', 429, '0', 1_000],
    ['an hour at most', 503, '86400', 3_600_000],
  ])('waits %s: %i, %s', async (_, statusCode, retryAfter, expected) => {
    const record = await resultOf(statusCode, retryAfter);
    expect(record).toMatchObject({ status: 'pending', statusCode, error: 'deferred' });
    expectPause(record.retryInMs, expected);
    expect(record.deferral).toEqual({ webhookId: 7, pauseMs: record.retryInMs });
  });

  inOneTest([
    [503, undefined],
    [503, 'soon'],
    [500, '120'],
    [404, undefined],
  ])('is a failure at %i with Retry-After %s', async (statusCode, retryAfter) => {
    const record = await resultOf(statusCode, retryAfter);
    expect(record).toMatchObject({ status: 'pending', retryInMs: 7_000, error: `http_${statusCode}` });
    expect(record.deferral).toBeUndefined();
  });

  it('waits also after the last attempt of its series', async () => {
    const record = await resultOf(429, '5', { attempt: 2, seriesAttempt: 2, attemptLog: [entry(1)] });
    expect(record).toMatchObject({ status: 'pending', error: 'deferred' });
  });

  it('has one entry in the log for all in a row', async () => {
    const before = entry(1, { error: 'http_500', statusCode: 500 });
    const attemptLog = [before, deferrals(5, 4)];
    const claimed = { attempt: 6, seriesAttempt: 2, deferrals: 4, attemptLog };
    const { attemptLog: log } = await resultOf(503, '1', claimed);
    const now = entry(6, { startedAt: timestampText(NOW), durationMs: 0, statusCode: 503 });
    const count = { count: 5, since: timestampText(NOW - 60_000) };
    expect(log).toEqual([before, { ...now, deferrals: count }]);
    const { attemptLog: other } = await resultOf(429, '1', { ...claimed, attemptLog: [before] });
    expect(other.at(-1)?.deferrals).toEqual({ count: 1, since: timestampText(NOW) });
  });

  it('waits however old its series is', async () => {
    const attemptLog = [deferrals(5, 5, NOW - 2 * DAY_MS)];
    const record = await resultOf(429, '60', { attempt: 6, deferrals: 5, attemptLog });
    expect(withPause(record, 5, () => true)).toMatchObject({ status: 'pending', error: 'deferred' });
  });

  it('ends once a test has waited for a day, and never while others of a backlog succeed', async () => {
    const putOffFor = async (ms: number, deliveryId?: string) => {
      const claimed = { attempt: 6, deferrals: 5, attemptLog: [deferrals(5, 5, NOW - ms)] };
      return withPause(
        await resultOf(429, '60', { ...claimed, ...(deliveryId && { deliveryId }) }),
        0,
        () => false,
      );
    };
    const waiting = { status: 'pending', error: 'deferred' };
    expect(await putOffFor(29 * DAY_MS)).toMatchObject(waiting);
    expect(await putOffFor(DAY_MS - 1, TEST_DELIVERY_ID)).toMatchObject(waiting);
    const ended = await putOffFor(DAY_MS, TEST_DELIVERY_ID);
    expect(ended).toMatchObject({ status: 'failed', error: 'busy', statusCode: 429 });
    expect(ended.deferral).toEqual({ webhookId: 7, pauseMs: 0 });
  });

  it('fails like any other where busy recipients are not deferred', async () => {
    const record = await resultOf(429, '60', {}, { deferBusy: false });
    expect(record).toMatchObject({ status: 'pending', error: 'http_429', retryInMs: 7_000 });
    expect(record.deferral).toBeUndefined();
  });

  it('waits alone if it is a test', async () => {
    const record = await resultOf(429, '60', { deliveryId: TEST_DELIVERY_ID });
    expect(record.deferral).toEqual({ webhookId: 7, pauseMs: 0 });
    expect(withPause(record, 0, () => true)).toEqual({ ...record, retryInMs: record.retryInMs });
  });
});

describe('a pause', () => {
  /** The record of an attempt that was put off so often in a row, and asked for no wait. */
  const putOff = (count: number) =>
    resultOf(429, '0', {
      attempt: count,
      deferrals: count - 1,
      attemptLog: [deferrals(count - 1, count - 1)],
    });

  inOneTest([
    [0, 1_000],
    [1, 2_000],
    [4, 16_000],
    [11, 2_048_000],
    [12, 3_600_000],
    [2_000, 3_600_000],
  ])('is longer the more there were in a row: after %i, %i ms at least', async (pauses, expected) => {
    const { retryInMs, deferral } = withPause(await putOff(2), pauses, () => true);
    expectPause(retryInMs, expected);
    expect(deferral?.pauseMs).toBe(retryInMs);
  });

  it('is as long as the recipient asks where that is longer', async () => {
    expectPause(withPause(await resultOf(429, '600'), 3, () => true).retryInMs, 600_000);
  });

  inOneTest([
    [3, false],
    [4, true],
  ])('of a delivery that was put off %i times in a row is a stubborn one: %s', async (count, expected) => {
    const asked: boolean[] = [];
    withPause(await putOff(count), 0, (isStubborn) => {
      asked.push(isStubborn);
      return true;
    });
    expect(asked).toEqual([expected]);
  });

  it('is not made where others succeed: the delivery waits alone, the longer the more often', async () => {
    const { retryInMs, deferral } = withPause(await putOff(4), 0, () => false);
    expectPause(retryInMs, 8_000);
    expect(deferral).toEqual({ webhookId: 7, pauseMs: 0 });
  });
});

it('spreads a pause by up to a tenth', () => {
  expect([0, 0.5, 0.999].map((random) => spread(60_000, () => random))).toEqual([60_000, 63_000, 65_994]);
});
