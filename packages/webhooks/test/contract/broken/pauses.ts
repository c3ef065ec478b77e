import type { AttemptRecord } from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that treat a busy recipient wrongly. */
export const brokenPauses: readonly BrokenStorage[] = [
  broken('counts a deferred attempt', 'does not count a deferred', (sound) =>
    recording(sound, ({ deferral, ...record }) => record),
  ),
  broken('goes on counting deferrals after a reopening', 'does not count a deferred', (sound) => {
    let deferrals = 0;
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map((claim) => {
          deferrals = Math.max(deferrals, claim.deferrals);
          return { ...claim, deferrals };
        });
      },
    };
  }),
  broken('never pauses', 'until the end, and of no other', (sound) =>
    recording(sound, (record) => withPause(record, () => 0)),
  ),
  broken('pauses for ever', 'until the end, and of no other', (sound) =>
    recording(sound, (record) => withPause(record, (ms) => ms * 3_600)),
  ),
  broken('pauses where one delivery waits', 'until the end, and of no other', (sound) =>
    recording(sound, (record) => withPause(record, (ms) => ms || 3_600_000)),
  ),
  broken('gives deliveries of webhooks that pause', 'until the end, and of no other', (sound) => ({
    claimDueDeliveries: (request) =>
      sound.claimDueDeliveries({
        ...request,
        choose: (waiting) => request.choose(waiting.map(({ isPaused, ...one }) => one)),
      }),
  })),
  broken('keeps the pause that came last', 'the later end of two', (sound) => {
    let last = 0;
    return recording(sound, (record) => {
      const isFirst = last === 0;
      last += 1;
      return withPause(record, (ms) => (isFirst ? 1_000 : ms));
    });
  }),
  broken('keeps a pause through an activation', 'ends a pause with the activation', (sound) => ({
    async readOverview(query) {
      const overviews = await sound.readOverview(query);
      return overviews.map((one) => ({ ...one, pausedUntil: '2100-01-01T00:00:00.000Z' }));
    },
  })),
  broken('pauses by a late result', 'by a result that comes late', (sound) => ({
    async recordAttempts(records) {
      const receipts = await sound.recordAttempts(records);
      return receipts.map((receipt) => (receipt === 'late' ? 'recorded' : receipt));
    },
  })),
];

/** Records other results than those that it is given. */
function recording(
  sound: WebhookStorage,
  change: (record: AttemptRecord) => AttemptRecord,
): Partial<WebhookStorage> {
  return { recordAttempts: (records) => sound.recordAttempts(records.map(change)) };
}

function withPause(record: AttemptRecord, change: (pauseMs: number) => number): AttemptRecord {
  const { deferral } = record;
  if (deferral === undefined) return record;
  return { ...record, deferral: { ...deferral, pauseMs: change(deferral.pauseMs) } };
}
