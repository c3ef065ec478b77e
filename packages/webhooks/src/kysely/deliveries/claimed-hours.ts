import { claimedSince, withHour } from '../../storage/claimed-hours.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import { hourOf } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

const NAME = 'claims';
const HOUR_MS = 3_600_000;

type Claim = WebhookStorage['claimDueDeliveries'];

/** Claims deliveries, and notes in which hours: with the first claim of an hour in this process. */
export function notingHours({ write, dialect }: DatabaseAccess, claim: Claim): Claim {
  let noted: number | undefined;
  return async (request) => {
    const hour = Math.floor(request.now / HOUR_MS);
    if (hour !== noted) {
      noted = hour;
      // Before: what is leased is handed out at once. An hour that is missing ends nothing too early.
      await write((tables) => noteHour(tables, dialect, request.now)).catch(() => undefined);
    }
    return claim(request);
  };
}

async function noteHour(tables: Tables, dialect: WebhookDialect, now: number): Promise<void> {
  const row = { name: NAME, holder: '', until: '', state: '[]' };
  await dialect.ignoringWritten(tables.insertInto('webhook_leases').values(row), 'name').execute();
  const { state, present } = await hoursAt(tables, dialect, now)
    .modifyEnd(dialect.locks.forUpdate)
    .executeTakeFirstOrThrow();
  await tables
    .updateTable('webhook_leases')
    .set({ state: JSON.stringify(withHour(jsonArrayOf(state ?? ''), hourOf(present))) })
    .where('name', '=', NAME)
    .execute();
}

/** See {@link claimedSince}. */
export async function readClaimedSince(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  count: number,
): Promise<string | undefined> {
  const row = await hoursAt(tables, dialect, now).executeTakeFirst();
  return row && claimedSince(jsonArrayOf(row.state ?? ''), count, hourOf(row.present));
}

function hoursAt(tables: Tables, dialect: WebhookDialect, now: number) {
  return tables
    .selectFrom('webhook_leases')
    .select(['state', dialect.timestamp(now).as('present')])
    .where('name', '=', NAME);
}
