import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';

const NAME = 'backlogs';

type Step = Parameters<NonNullable<WebhookStorage['stepBacklogs']>>[0];

/** Keeps the text in the row of the lease with that name. What changes nothing only reads. */
export async function stepBacklogs({ run, write, dialect }: DatabaseAccess, step: Step): Promise<string> {
  const kept = (await run((tables) => keptText(tables).executeTakeFirst()))?.state ?? '';
  if (step(kept) === undefined) return kept;
  return write(async (tables) => {
    const row = { name: NAME, holder: '', until: '', state: null };
    await dialect.ignoringWritten(tables.insertInto('webhook_leases').values(row), 'name').execute();
    const locked = await keptText(tables).modifyEnd(dialect.locks.forUpdate).executeTakeFirstOrThrow();
    const before = locked.state ?? '';
    const after = step(before);
    if (after === undefined) return before;
    await tables.updateTable('webhook_leases').set({ state: after }).where('name', '=', NAME).execute();
    return after;
  });
}

function keptText(tables: Tables) {
  return tables.selectFrom('webhook_leases').select('state').where('name', '=', NAME);
}
