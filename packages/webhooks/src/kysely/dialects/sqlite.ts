import { type Expression, sql } from 'kysely';
import { timestampText } from '../../clock.ts';
import type { AttemptResult, WebhookDialect, WrittenResult } from '../dialect.ts';
import { lowerCaseAscii } from '../lower-case-ascii.ts';
import { PENDING } from '../pending.ts';
import { removedWebhooks } from '../removed-webhooks.ts';
import type { Tables } from '../tables.ts';
import { RETRY_TURN_DELAY_MS } from '../turn.ts';
import { CURRENT_ACTIVATION } from './current-activation.ts';
import { deliveriesByAny } from './deliveries-by-any.ts';
import { memberOf } from './error-member.ts';
import { sqliteSchema } from './sqlite-schema.ts';
import { upsertActivity } from './upsert-activity.ts';
import { stepOverWebhooks } from './waiting-webhooks.ts';

/** Primary result codes, https://www.sqlite.org/rescode.html: SQLITE_BUSY and SQLITE_LOCKED. */
const CONTENTION: readonly number[] = [5, 6];

const NOTHING = sql``;

export const sqlite: WebhookDialect = {
  isEmbedded: true,
  schema: sqliteSchema,
  locks: { rows: NOTHING, freeRows: NOTHING, kept: NOTHING },
  inTransaction: (db, work) => db.transaction().execute(work),

  async becomeWriter(tables) {
    // Kysely begins as a reader. One that reads, and writes after others wrote, fails with SQLITE_BUSY_SNAPSHOT at
    // once, whatever the busy timeout (https://www.sqlite.org/isolation.html); a write that finds no row (ids are positive) prevents it.
    await tables
      .updateTable('webhooks')
      .set((webhook) => ({ is_active: webhook.ref('is_active') }))
      .where('id', '=', 0)
      .execute();
  },

  isContention(error) {
    // better-sqlite3 and libsql name the code; node:sqlite and Bun give its number, extended codes in the high bytes.
    const code = memberOf(error, 'code');
    if (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)) return true;
    const number = memberOf(error, 'errcode') ?? memberOf(error, 'errno');
    return typeof number === 'number' && CONTENTION.includes(number & 0xff);
  },

  timestamp: (nowMs, offsetMs = 0) => sql<string>`${timestampText(nowMs + offsetMs)}`,
  // `lower` folds ASCII alone; `like` would give `%` and `_` a meaning and obeys a pragma of the host's.
  containsText: (text, part) => sql<boolean>`instr(lower(${text}), ${lowerCaseAscii(part)}) > 0`,
  // https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
  pastIndexes: <Type>(column: Expression<Type>) => sql<Type>`+${column}`,

  readInOrder: async () => {},
  deliveriesBy: deliveriesByAny,
  waitingWebhooks: stepOverWebhooks,

  async insertWebhook(tables, webhook) {
    const { id } = await tables
      .insertInto('webhooks')
      .values(webhook)
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  },

  async insertKey(tables, key) {
    const inserted = await tables
      .insertInto('webhook_idempotency_keys')
      .values(key)
      .onConflict((conflict) => conflict.columns(['event', 'key']).doNothing())
      .returning('key')
      .execute();
    return inserted.length > 0;
  },

  addToActivity: upsertActivity,

  async writeResults(tables, results) {
    const written: WrittenResult[] = [];
    // One by one: preparing a statement for many costs more here than running a small one again.
    for (const result of results) {
      const row = await writeResult(tables, result);
      if (row !== undefined) written.push(row);
    }
    return written;
  },
};

async function writeResult(tables: Tables, result: AttemptResult): Promise<WrittenResult | undefined> {
  const { id, claimToken, status, now, retryInMs } = result;
  const isPending = status === 'pending';
  const row = await tables
    .updateTable('webhook_deliveries')
    .set({
      status,
      status_code: result.statusCode,
      response_body: result.responseBody,
      error: result.error,
      attempt_log: result.attemptLog,
      next_attempt_at: isPending ? timestampText(now + retryInMs) : null,
      turn_at: isPending ? timestampText(now + retryInMs + RETRY_TURN_DELAY_MS) : null,
      completed_at: isPending ? null : timestampText(now),
      claim_token: null,
      locked_until: null,
      lost_attempt: null,
      activation: CURRENT_ACTIVATION,
    })
    .where('id', '=', id)
    .where('claim_token', '=', claimToken)
    .where('status', '=', PENDING)
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .returning(['webhook_id', 'created_at'])
    .executeTakeFirst();
  return row && { id, claimToken, webhookId: Number(row.webhook_id), createdAt: row.created_at };
}
