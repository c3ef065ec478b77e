import { type Generated, QueryCreator, type QueryExecutorProvider } from 'kysely';
import type { DeliveryStatus } from '../storage/records.ts';

/** Registered webhooks. */
export interface WebhookTable {
  /** Never reused, so that a delivery can never come to belong to a later webhook. */
  id: Generated<number>;
  url: string;
  /** As it is: whoever signs needs it. Encryption at rest is the database's or the disk's affair. */
  secret: string;
  description: Generated<string>;
  /** JSON array of patterns, as given; `webhook_patterns` holds the same for matching. */
  events: Generated<string>;
  /** 1 or 0. */
  is_active: Generated<number>;
  created_by: Generated<number>;
  /** RFC 3339 text in UTC with milliseconds, as in every column of time here. */
  created_at: string;
  updated_at: string;
  /** 1 once its removal has begun: the row is there for what is still to be removed, and for nobody to find. */
  is_removed: Generated<number>;
}

/** One row per pattern and webhook: matching reads the rows of at most 65 patterns, whatever the number of webhooks. */
export interface PatternTable {
  pattern: string;
  webhook_id: number;
}

/** Deliveries: what was or will be sent, when it is due and who holds it. */
export interface DeliveryTable {
  id: Generated<number>;
  webhook_id: number;
  delivery_id: Generated<string>;
  event: string;
  payload: Generated<string>;
  status: Generated<DeliveryStatus>;
  status_code: Generated<number>;
  response_body: Generated<string>;
  error: Generated<string>;
  attempts: Generated<number>;
  /** `attempts` at the beginning of the current series: 0, or more after a redelivery. */
  series_start: Generated<number>;
  /** JSON array of `AttemptLogEntry`. */
  attempt_log: Generated<string>;
  created_at: string;
  completed_at: string | null;
  /** When the row is due; null once it has ended. */
  next_attempt_at: string | null;
  /** The end of the current claim's lease; null where nobody holds the row. */
  locked_until: string | null;
  /** Proves the current holder; null where nobody holds the row. */
  claim_token: string | null;
  /**
   * Of the current claim: the number of the attempt whose worker vanished, null where none did,
   * 0 where none did and yet the series is used up, because the maximum was lowered meanwhile.
   */
  lost_attempt: number | null;
}

/** Dispatches that named an idempotency key, kept for 30 days. */
export interface IdempotencyKeyTable {
  event: string;
  key: string;
  created_at: string;
}

/** Which migrations `migrateWebhooks` has applied. */
export interface MigrationTable {
  name: string;
  applied_at: string;
}

/** Every table of this package, by its name in the database. */
export interface WebhookTables {
  webhooks: WebhookTable;
  webhook_patterns: PatternTable;
  webhook_deliveries: DeliveryTable;
  webhook_idempotency_keys: IdempotencyKeyTable;
  webhook_migrations: MigrationTable;
}

/** Typed statements on these tables, over a connection or a transaction of the host's. */
export type Tables = QueryCreator<WebhookTables>;

/**
 * Our tables on the host's connection, past the host's plugins: one that renames columns or parses JSON in results
 * would change what the rows mean.
 */
export function tablesOf(host: QueryExecutorProvider): Tables {
  return new QueryCreator<WebhookTables>({ executor: host.getExecutor().withoutPlugins() });
}
