import { describe, expect, it } from 'vitest';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import { timestampText } from '../../src/clock.ts';
import type { ActivityInput } from '../../src/registry/activity.ts';
import { createSharedReads } from '../../src/registry/shared-reads.ts';
import { readTenantBounds } from '../../src/registry/tenant-bounds.ts';
import { createWebhookRegistry } from '../../src/registry/webhook-registry.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A registry over a storage that holds deliveries created at the given moments. */
async function harness(createdAt: readonly string[] = []) {
  const storage = memoryStorage();
  const time = { now: Date.parse('2026-11-20T12:34:56.789Z') };
  const registry = createWebhookRegistry({
    standardHeaders: true,
    userAgent: 'test',
    storage,
    clock: () => time.now,
    assertUrl: async (url) => new URL(url),
    tenantBounds: readTenantBounds({}),
    disableAfterFailingMs: 0,
    recoverAfterOutage: false,
    concurrencyOf: () => undefined,
    share: createSharedReads(),
    removals: { begin: () => undefined },
  });
  const webhook = await registry.create({ url: 'https://example.com/' });
  const other = await registry.create({ url: 'https://example.com/', events: ['order.created'] });
  for (const created of createdAt) {
    await storage.recordDispatches([
      { event: 'user.created', payload: '{}', createdAt: created, target: { patterns: ['*'] } },
    ]);
  }
  const activity = (input?: ActivityInput) => registry.activity(webhook.id, input);
  return { registry, storage, webhook, other, activity, time };
}

const nonEmpty = (points: readonly { success: number; failed: number; pending: number; start: string }[]) =>
  points.filter(({ success, failed, pending }) => success + failed + pending > 0);

describe("a webhook's activity", () => {
  it('shows the last 30 days by default, today last, every day present', async () => {
    const { activity } = await harness([
      '2026-10-21T23:59:59.999Z',
      '2026-10-22T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
      '2026-11-20T12:34:56.789Z',
    ]);
    const { interval, from, to, activity: points } = await activity();
    expect({ interval, from, to }).toEqual({
      interval: 'day',
      from: '2026-10-22T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
    });
    expect(points.map(({ start }) => start)).toEqual(
      Array.from({ length: 30 }, (_, day) => timestampText(Date.parse(from) + day * DAY_MS)),
    );
    expect(nonEmpty(points)).toEqual([
      { start: '2026-10-22T00:00:00.000Z', success: 0, failed: 0, pending: 1 },
      { start: '2026-11-20T00:00:00.000Z', success: 0, failed: 0, pending: 2 },
    ]);
  });

  it('answers the same for the range it answered', async () => {
    const { activity } = await harness(['2026-11-20T12:00:00.000Z']);
    for (const interval of ['hour', 'day'] as const) {
      const answer = await activity({ interval });
      expect(await activity({ interval, from: answer.from, to: answer.to })).toEqual(answer);
    }
  });

  it('takes whole buckets of a range, in any offset, and none of other webhooks', async () => {
    const { activity, registry, other } = await harness(['2026-11-18T22:30:00.000Z']);
    const range = { from: '2026-11-19T00:15:00+02:00', to: new Date('2026-11-18T22:45:00.000Z') };
    expect(await activity({ interval: 'hour', ...range })).toMatchObject({
      interval: 'hour',
      from: '2026-11-18T22:00:00.000Z',
      to: '2026-11-18T23:00:00.000Z',
      activity: [{ start: '2026-11-18T22:00:00.000Z', success: 0, failed: 0, pending: 1 }],
    });
    const { activity: elsewhere } = await registry.activity(other.id, { interval: 'hour', ...range });
    expect(nonEmpty(elsewhere)).toEqual([]);
  });

  it('counts by what has become of the deliveries, and adds the hours of a day up', async () => {
    const startedAt = '2026-11-20T03:30:00.000Z';
    const { registry, activity, other, storage, time } = await harness([
      '2026-11-20T01:00:00.000Z',
      '2026-11-20T02:00:00.000Z',
      '2026-11-20T02:30:00.000Z',
      '2026-11-20T03:00:00.000Z',
    ]);
    const claimed = await storage.claimDueDeliveries({
      now: time.now,
      limit: 3,
      leaseMs: 45_000,
      maxAttempts: 4,
      claimToken: 'token',
      isFromStart: true,
      choose: chooseEvenly(3, 10),
    });
    await storage.recordAttempts(
      claimed.map(({ id, claimToken }, index) => ({
        id,
        claimToken,
        status: index === 0 ? ('failed' as const) : ('success' as const),
        statusCode: 200,
        responseBody: '',
        error: '',
        attemptLog: [
          { attempt: 1, startedAt, durationMs: index * 10, statusCode: 200, error: '', responseBody: '' },
        ],
        activation: 0,
        now: time.now,
        retryInMs: 0,
      })),
      RESULT_RULES,
    );
    const { activity: points, answers } = await activity();
    expect(points.at(-1)).toEqual({ start: '2026-11-20T00:00:00.000Z', success: 2, failed: 1, pending: 1 });
    // Those of its own recipient, whatever the range is.
    expect(answers).toEqual({ attempts: 3, since: startedAt, medianMs: 10, p95Ms: 20 });
    const quiet = await registry.activity(other.id);
    expect(quiet.answers).toEqual({ attempts: 0, since: null, medianMs: null, p95Ms: null });
  });

  it.each([
    { interval: 'hour', from: '2026-10-20T13:00:00Z', to: '2026-11-20T13:00:00Z' },
    { interval: 'day', from: '2025-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
  ] as const)('gives a range of at most that many buckets: %j', async (input) => {
    const { activity } = await harness();
    const widthMs = input.interval === 'hour' ? HOUR_MS : DAY_MS;
    expect((await activity(input)).activity).toHaveLength(
      (Date.parse(input.to) - Date.parse(input.from)) / widthMs,
    );
    const tooEarly = new Date(Date.parse(input.from) - 1);
    await expect(activity({ ...input, from: tooEarly })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'from', code: 'too_small' }],
    });
  });
});
