import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { Tables } from '../tables.ts';
import { insertPatterns, readPatterns } from './webhook-patterns.ts';

/** Webhooks at once, and patterns of each: every database takes the 10,000 rows. */
const MAX_WEBHOOKS = 100;
const MAX_PATTERNS = 100;
/** What a pattern is made of. Anything else matches no event, and may fit no column. */
const PATTERN_TEXT = /^[\w*.-]{1,128}$/;

/**
 * Writes the patterns of webhooks that have none, from the text beside them: another program wrote
 * these rows. Where nothing is missing, it only reads.
 */
export async function writeMissingPatterns({ read, write, dialect }: DatabaseAccess): Promise<void> {
  for (let after = 0; ; await nextTurn()) {
    const ids = await read((tables) => withoutPatterns(tables, after));
    if (ids.length === 0) return;
    await write(async (tables) => {
      const rows = await tables
        .selectFrom('webhooks')
        .select(['id', 'events'])
        .where('id', 'in', ids)
        .orderBy('id')
        .modifyEnd(dialect.locks.forNoKeyUpdate)
        .execute();
      // Again, under the lock: another process may have written them meanwhile.
      const found = await readPatterns(tables, ids);
      for (const { id, events } of rows) {
        const patterns = jsonArrayOf<unknown>(events).filter(
          (each): each is string => typeof each === 'string' && PATTERN_TEXT.test(each),
        );
        if (!found.has(Number(id))) await insertPatterns(tables, Number(id), patterns.slice(0, MAX_PATTERNS));
      }
    });
    after = Math.max(...ids);
  }
}

async function withoutPatterns(tables: Tables, after: number): Promise<number[]> {
  const rows = await tables
    .selectFrom('webhooks')
    .select('id')
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
  return rows.map(({ id }) => Number(id));
}
