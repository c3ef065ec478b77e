import { expect, test } from 'vitest';
import { timestampText } from '../../../src/clock.ts';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.parse(NEW_WEBHOOK.createdAt);

/** Writes deliveries created in these minutes, in this order, and gives the ids within a range. */
async function idsWithin(created: readonly number[], from: number, to: number): Promise<number[]> {
  const at = (minute: number) => timestampText(START_MS + minute * MINUTE_MS);
  const storage = kyselyStorage(await migratedSqlite());
  const { id: webhookId } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(created.map((minute) => ({ ...DISPATCH, createdAt: at(minute) })));
  const range = { webhookId, createdFrom: at(from), createdBefore: at(to) };
  return (await storage.findDeliveries({ ...range, limit: 100, maxScanned: 5_000 })).deliveries.map(
    ({ id }) => id,
  );
}

/** Each fifth minute from `from` to `to`. */
function minutes(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / 5 }, (_, index) => from + index * 5);
}

test('a range of times has what was written out of order by clocks that are apart', async () => {
  const begin = [...minutes(0, 540), 605, ...minutes(545, 600)];
  const end = [...minutes(905, 960), 895, ...minutes(1_020, 1_500)];
  expect(await idsWithin([...begin, ...minutes(660, 840), ...end], 600, 900)).toHaveLength(38);
});

test('nine deliveries with times of a wrong clock hide no others', async () => {
  // Those written first seem to be newer than the range, and those written last older.
  const ahead = Array.from({ length: 9 }, () => 960);
  const behind = Array.from({ length: 9 }, () => 539);
  expect(await idsWithin([...ahead, ...minutes(0, 1_500), ...behind], 600, 900)).toHaveLength(60);
});
