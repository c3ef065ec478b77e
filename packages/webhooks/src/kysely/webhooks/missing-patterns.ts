import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { isEventPattern } from '../../events/pattern.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { Tables, WebhookTables } from '../tables.ts';
import { insertPatterns, readPatterns } from './webhook-patterns.ts';

/** Webhooks at once, and patterns of each: every database takes the 10,000 rows. */
const MAX_WEBHOOKS = 100;
const MAX_PATTERNS = 100;

/**
 * Writes the patterns of webhooks that have none, from the text beside them: another program wrote
 * these rows. What is no pattern is left out. Where nothing is to be written, it only reads.
 */
export async function writeMissingPatterns({ run, write, dialect }: DatabaseAccess): Promise<void> {
  for (let after = 0; ; await nextTurn()) {
    const rows = await run((tables) => withoutPatterns(tables, after));
    if (rows.length === 0) return;
    after = Math.max(...rows.map(({ id }) => Number(id)));
    const ids = rows.filter((row) => patternsOf(row).length > 0).map(({ id }) => Number(id));
    if (ids.length === 0) continue;
    await write(async (tables) => {
      const locked = await tables
        .selectFrom('webhooks')
        .select(['id', 'tenant', 'events'])
        .where('id', 'in', ids)
        .orderBy('id')
        .modifyEnd(dialect.locks.forNoKeyUpdate)
        .execute();
      // Again, under the lock: another process may have written them meanwhile.
      const found = await readPatterns(tables, ids);
      for (const row of locked) {
        if (!found.has(Number(row.id))) await insertPatterns(tables, row, patternsOf(row));
      }
    });
  }
}

type EventsRow = Pick<Selectable<WebhookTables['webhooks']>, 'id' | 'events'>;

function patternsOf({ events }: Pick<EventsRow, 'events'>): readonly string[] {
  const patterns = jsonArrayOf<unknown>(events).filter(
    (each): each is string => typeof each === 'string' && isEventPattern(each),
  );
  return [...new Set(patterns)].slice(0, MAX_PATTERNS);
}

async function withoutPatterns(tables: Tables, after: number): Promise<EventsRow[]> {
  return tables
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('id', '>', after)
    .where('is_removed', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_patterns')
            .select('pattern')
            .whereRef('webhook_id', '=', 'webhooks.id')
            .limit(1),
        ),
      ),
    )
    .orderBy('id')
    .limit(MAX_WEBHOOKS)
    .execute();
}
