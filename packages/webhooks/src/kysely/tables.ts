import type { Generated } from 'kysely';
import type { OwnTables } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { DELIVERY_FIELDS, type DeliverySummary } from '../storage/delivery-record.ts';
import { type ByColumn, columnsOf, type Fields } from '../storage/field.ts';
import { WEBHOOK_FIELDS, type Webhook } from '../storage/webhook-record.ts';
import type { FailureTable, PauseTable } from './recipient-tables.ts';

/** Described fields as columns. Those that are not given have the default of their column. */
type Described<All extends Fields, Values> = {
  [Column in keyof ByColumn<All, Values>]: Generated<ByColumn<All, Values>[Column]>;
};

/**
 * Registered webhooks: their described fields, and what the storage keeps besides. An id is never
 * reused, so that a delivery can never come to belong to a later webhook.
 */
export interface WebhookTable
  extends Omit<
    Described<typeof WEBHOOK_FIELDS, Webhook>,
    'url' | 'events' | 'is_active' | 'created_at' | 'updated_at'
  > {
  url: string;
  created_at: string;
  updated_at: string;
  /** JSON array of patterns, as given. It only keeps their order: `webhook_patterns` decides. */
  events: Generated<string>;
  /** 1 or 0. */
  is_active: Generated<number>;
  /**
   * In plain text: every delivery is signed with it. Encryption at rest is the task of the database
   * or the disk.
   */
  secret: string;
  /**
   * 1 once its removal has begun: the row stays until its deliveries are removed, and no query
   * finds it.
   */
  is_removed: Generated<number>;
  /**
   * The secret before the last rotation; null where there was none. It signs, too, until
   * `previous_secret_expires_at`.
   */
  previous_secret: string | null;
  /**
   * How often it was set active after it had been inactive, or given another URL. A run of
   * failures is of one of them.
   */
  activations: Generated<number>;
  /** Unused. */
  headers: string | null;
  /** Unused. */
  filter: string | null;
}

/**
 * One row per pattern and webhook: matching reads the rows of at most 65 patterns, whatever the
 * number of webhooks.
 */
export interface PatternTable {
  /** The webhook's tenant, with which the key begins: a dispatch reads no row of another one. */
  tenant: Generated<string>;
  pattern: string;
  webhook_id: number;
}

/**
 * Deliveries: what was or will be sent, when it is due and who leases it. `attempts` counts those
 * that were deferred, too.
 */
export interface DeliveryTable
  extends Omit<Described<typeof DELIVERY_FIELDS, DeliverySummary>, 'webhook_id' | 'event' | 'created_at'> {
  webhook_id: number;
  event: string;
  created_at: string;
  /** JSON text. */
  payload: Generated<string>;
  /** `attempts` less `deferrals` at the beginning of the current series. */
  series_start: Generated<number>;
  /** When the current series began, if the row was reopened; null of the first, with the row. */
  series_since: string | null;
  /** JSON array of `AttemptLogEntry`. */
  attempt_log: Generated<string>;
  /**
   * The end of the current claim's lease; null if no claim leases the row. A lease is no row
   * lock: that ends with its transaction.
   */
  locked_until: string | null;
  /** Proves the current lease; null if no claim leases the row. */
  claim_token: string | null;
  /**
   * The token of the last claim whose result was written: offered again, that result is recognised.
   */
  recorded_token: string | null;
  /**
   * The priority time, by which the ready queue is ordered: `next_attempt_at` of a first attempt, a
   * minute later of a retry. Null once the row has ended.
   */
  priority_at: string | null;
  /** Unused: the `traceparent` of its dispatch. */
  trace_context: string | null;
  /** Unused: when an event happened that is replayed. */
  event_at: string | null;
}

/**
 * How many retained deliveries of a webhook, created in one hour, ended how. Written with every
 * result, in the same transaction. A counter is the sum of its shards, of which each process writes
 * one, so that processes do not wait for one another.
 */
export interface ActivityTable {
  /** The first 13 characters of `created_at`: `2026-11-20T04`; or '' for the webhook's total. */
  hour: string;
  webhook_id: number;
  /** 0–63; of a total, 64 is what purges took back. */
  shard: number;
  success: number;
  failed: number;
  /**
   * Only in the webhook's total: when one of its deliveries last succeeded, whatever became of
   * that; '' before the first.
   */
  last_success_at: string;
  /** The same of those that ended as `failed` after an attempt. */
  last_failure_at: string;
  /** Only in the webhook's total: grows with every change. Webhook 0 counts changes of webhooks. */
  revision: number;
}

/**
 * Dispatches that named an idempotency key, kept for at least 30 days: until the purge after that.
 * A row without an event says when its tenant was removed.
 */
export interface IdempotencyKeyTable {
  /** Whose event it is; '' for the host's. */
  tenant: string;
  event: string;
  key: string;
  created_at: string;
  /** The dispatch that brought it, which knows its own retry; '' if another program did. */
  dispatch_id: string;
}

/** What one process does at a time. */
export interface LeaseTable {
  name: string;
  /** Which process holds it; '' for none. */
  holder: string;
  /** When it ends unless the holder renews it; '' for none. */
  until: string;
  /** Of `claims`, a JSON array of hours; of `backlogs`, what the engine keeps of them. */
  state: string | null;
}

/** Unused: events as they were dispatched. */
export interface EventTable {
  /** The dispatch's. */
  id: string;
  tenant: Generated<string>;
  event: string;
  /** JSON text. */
  payload: Generated<string>;
  created_at: string;
  /** Among those of its tenant; null before it has one. */
  position: number | null;
}

/** Unused: the last position of each tenant. */
export interface EventPositionTable {
  tenant: string;
  last: Generated<number>;
}

/** Unused: who changed what. */
export interface AuditTable {
  id: Generated<number>;
  tenant: Generated<string>;
  webhook_id: number | null;
  actor: string | null;
  action: string;
  /** JSON text. */
  details: string | null;
  created_at: string;
}

/** Unused: tickets that were used. */
export interface TicketTable {
  id: string;
  expires_at: string;
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
  webhook_activity: ActivityTable;
  webhook_pauses: PauseTable;
  webhook_failures: FailureTable;
  webhook_idempotency_keys: IdempotencyKeyTable;
  webhook_leases: LeaseTable;
  webhook_events: EventTable;
  webhook_event_positions: EventPositionTable;
  webhook_audit: AuditTable;
  webhook_tickets: TicketTable;
  webhook_migrations: MigrationTable;
}

/** The columns that the storage needs: a database without one of them is not migrated. */
export const COLUMNS = {
  webhooks: [
    ...columnsOf(WEBHOOK_FIELDS),
    'secret',
    'is_removed',
    'previous_secret',
    'activations',
    'headers',
    'filter',
  ],
  webhook_patterns: ['tenant', 'pattern', 'webhook_id'],
  webhook_deliveries: [
    ...columnsOf(DELIVERY_FIELDS),
    'payload',
    'series_start',
    'series_since',
    'attempt_log',
    'locked_until',
    'claim_token',
    'recorded_token',
    'priority_at',
    'trace_context',
    'event_at',
  ],
  webhook_activity: [
    'hour',
    'webhook_id',
    'shard',
    'success',
    'failed',
    'last_success_at',
    'last_failure_at',
    'revision',
  ],
  webhook_pauses: ['webhook_id', 'paused_until', 'activation', 'pauses'],
  webhook_failures: [
    'webhook_id',
    'activation',
    'failed',
    'since',
    'last_at',
    'ended_at',
    'busy_since',
    'busy_again_at',
    'rest',
  ],
  webhook_idempotency_keys: ['tenant', 'event', 'key', 'created_at', 'dispatch_id'],
  webhook_leases: ['name', 'holder', 'until', 'state'],
  webhook_events: ['id', 'tenant', 'event', 'payload', 'created_at', 'position'],
  webhook_event_positions: ['tenant', 'last'],
  webhook_audit: ['id', 'tenant', 'webhook_id', 'actor', 'action', 'details', 'created_at'],
  webhook_tickets: ['id', 'expires_at'],
} as const satisfies {
  readonly [Table in Exclude<
    keyof WebhookTables,
    'webhook_migrations'
  >]: readonly (keyof WebhookTables[Table])[];
};

/** Typed statements on these tables, over a connection or a transaction of the host's. */
export type Tables = OwnTables<WebhookTables>;
