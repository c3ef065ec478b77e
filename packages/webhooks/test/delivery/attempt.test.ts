import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { timestampText } from '../../src/clock.ts';
import { type AttemptDependencies, createAttempt } from '../../src/delivery/attempt.ts';
import { createRetrySchedule } from '../../src/delivery/retry-schedule.ts';
import type { SendRequest } from '../../src/egress/egress.ts';
import type { SendResult } from '../../src/egress/send-result.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import type { TracedAttempt } from '../../src/hooks/webhook-hooks.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import { NO_ACTIVATION } from '../../src/storage/delivery-requests.ts';
import { claimedDelivery } from './claimed-delivery.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const RETRY_MS = 10;
const answering = (statusCode: number, body = '', retryAfter?: string): SendResult => ({
  kind: 'response',
  statusCode,
  body,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** Attempts whose requests take 5 ms and are answered as told. */
function harness(answer: SendResult | Error, options: Partial<AttemptDependencies> = {}) {
  let now = NOW;
  const requests: SendRequest[] = [];
  const errors: unknown[] = [];
  const attempt = createAttempt({
    egress: {
      async send(request) {
        requests.push(request);
        now += 5;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    retry: createRetrySchedule({ maxAttempts: 2, delaysMs: [RETRY_MS] }, () => 0.5),
    standardHeaders: true,
    userAgent: 'test',
    traceparent: () => undefined,
    clock: () => now,
    notifier: createNotifier({ onError: (error) => errors.push(error) }, silentLogger),
    disableOnGone: false,
    ...options,
  });
  return { attempt, requests, errors };
}

/** The log entry of an attempt that the recipient answered with 500. */
const entry = (attempt: number) => ({
  attempt,
  startedAt: timestampText(0),
  durationMs: 0,
  statusCode: 500,
  error: 'http_500',
  responseBody: 'no',
});

describe('an attempt', () => {
  it('ends its delivery with a success, and logs when it began and how long it took', async () => {
    const { attempt, errors } = harness(answering(200, 'thanks'));
    const startedAt = timestampText(NOW);
    expect(await attempt(claimedDelivery())).toEqual({
      record: {
        id: 1,
        claimToken: 'token',
        status: 'success',
        statusCode: 200,
        responseBody: 'thanks',
        error: '',
        attemptLog: [
          { attempt: 1, startedAt, durationMs: 5, statusCode: 200, error: '', responseBody: 'thanks' },
        ],
        activation: 3,
        now: NOW + 5,
        retryInMs: 0,
      },
      sent: { startedAt, durationMs: 5 },
    });
    expect(errors).toEqual([]);
  });

  inOneTest<[SendResult]>([
    [{ kind: 'failure', code: 'tls_error', detail: 'wrong_name' }],
    [{ kind: 'response', statusCode: 200, body: '', detail: 'bare_line_feed' }],
  ])('logs what exactly was wrong: %j', async (result) => {
    const { record } = await harness(result).attempt(claimedDelivery());
    expect(record.attemptLog).toMatchObject([{ detail: result.detail }]);
  });

  it('carries the trace that the host gives it, and logs it', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const given: TracedAttempt[] = [];
    const { attempt, requests } = harness(answering(204), {
      traceparent: (traced) => {
        given.push(traced);
        return traceparent;
      },
    });
    const { record } = await attempt(claimedDelivery());
    expect(requests[0]?.headers).toMatchObject({ traceparent });
    expect(record.attemptLog).toMatchObject([{ traceparent }]);
    const { webhook, deliveryId, event, attempt: number } = claimedDelivery();
    expect(given).toEqual([{ webhookId: webhook.id, deliveryId, event, attempt: number }]);
  });

  inOneTest<[string, () => unknown]>([
    ['is none', () => 'aaaa\r\nX-Injected: 1'],
    ['is a promise', async () => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['is a promise that rejects', () => Promise.reject(new Error('no tracer'))],
    [
      'throws',
      () => {
        throw new Error('no tracer');
      },
    ],
  ])('goes without a trace that %s, and tells of it', async (_, traceparent) => {
    const { attempt, requests, errors } = harness(answering(204), Object({ traceparent }));
    expect((await attempt(claimedDelivery())).record.status).toBe('success');
    expect(Object.keys(requests[0]?.headers ?? {})).not.toContain('traceparent');
    expect(errors).toMatchObject([{ code: 'internal_error' }]);
  });

  inOneTest([
    ['with its lost attempt', 2, 'worker_lost'],
    ['as the last one did, where the maximum was lowered', null, 'http_500'],
  ])('sends nothing for a delivery that has none left, and ends it %s', async (_, lostAttempt, error) => {
    const { attempt, requests } = harness(answering(200));
    const claimed = claimedDelivery({ attempt: 2, isExhausted: true, lostAttempt, attemptLog: [entry(1)] });
    const { record, sent } = await attempt(claimed);
    expect(record).toMatchObject({ status: 'failed', error, activation: NO_ACTIVATION });
    expect([sent, requests]).toEqual([null, []]);
  });

  it('logs the attempt whose worker vanished before its own, and at most twenty in all', async () => {
    const { attempt } = harness(answering(204));
    const attemptLog = Array.from({ length: 20 }, (_, n) => entry(n + 1));
    const claimed = claimedDelivery({ attempt: 22, seriesAttempt: 2, lostAttempt: 21, attemptLog });
    const { record } = await attempt(claimed);
    expect(record.attemptLog).toHaveLength(20);
    expect(record.attemptLog.slice(-3).map(({ attempt: n, error }) => [n, error])).toEqual([
      [20, 'http_500'],
      [21, 'worker_lost'],
      [22, ''],
    ]);
  });

  inOneTest([
    ['is signed with the previous secret too until that expires', NOW + 1, 2],
    ['is signed with the one secret once the previous one has expired', NOW, 1],
  ])('%s', async (_, expiresAt, signatures) => {
    const { attempt, requests } = harness(answering(204));
    const previousSecret = { secret: generateSecret(), expiresAt: timestampText(expiresAt) };
    await attempt(claimedDelivery({ webhook: { previousSecret } }));
    expect(requests[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(signatures);
  });

  it('survives a defect of the egress, tells of it, and is repeated', async () => {
    const { attempt, errors } = harness(new Error('unforeseen'));
    const { record } = await attempt(claimedDelivery());
    expect(record).toMatchObject({ status: 'pending', statusCode: 0, error: 'internal_error' });
    expect(errors).toMatchObject([{ code: 'internal_error' }]);
  });
});
