/** The tables. A webhook is its state as JSON, of which SQL reads some members as columns. */
const TABLES = `
create table if not exists webhooks (
  id integer primary key autoincrement, -- no id comes back after a webhook was removed
  state text not null, -- a WebhookState
  tenant as (state ->> '$.webhook.tenant'),
  url as (state ->> '$.webhook.url'),
  name as (state ->> '$.webhook.name'),
  description as (state ->> '$.webhook.description'),
  is_active as (state ->> '$.webhook.isActive'),
  created_at as (state ->> '$.webhook.createdAt'),
  updated_at as (state ->> '$.webhook.updatedAt'),
  activation as (state ->> '$.activation'),
  last_success_at text not null default '',
  last_failure_at text not null default '',
  failure_run text, -- the last run of failures as JSON; a success or another activation ends it
  pause text -- the last pause as JSON, until a success; another activation ends it
);

create table if not exists deliveries (
  id integer primary key autoincrement,
  webhook_id integer not null,
  delivery_id text not null unique,
  event text not null,
  payload text not null,
  status text not null default 'pending',
  status_code integer not null default 0,
  response_body text not null default '',
  error text not null default '',
  attempts integer not null default 0,
  attempt_log text not null default '[]', -- a JSON array
  created_at text not null,
  completed_at text,
  due_ms integer not null,
  priority_ms integer not null, -- a minute after due_ms for retries
  series_start integer not null default 0, -- the attempts that counted before the current series
  series_since_ms integer, -- when that began, if the delivery was reopened
  deferrals integer not null default 0, -- the attempts that do not count
  claim_token text, -- of the last claim, until its result is recorded
  lease_ends_ms integer not null default 0,
  recorded_token text -- of the claim whose result was recorded last
);
create index if not exists of_tenant on webhooks (tenant);
create index if not exists ready on deliveries (webhook_id, priority_ms, id) where status = 'pending';
create index if not exists due on deliveries (due_ms) where status = 'pending';
create index if not exists failed on deliveries (created_at, id) where status = 'failed';
create index if not exists of_webhook on deliveries (webhook_id, id);
create index if not exists by_place on deliveries (created_at, id);

-- A row without an event says when its tenant was closed.
create table if not exists idempotency_keys (
  tenant text, event text, key text, dispatch_id text, created_at text,
  primary key (tenant, event, key)
) without rowid;

-- In which hours deliveries were claimed.
create table if not exists claimed_hours (hour text primary key) without rowid;
`;

/** Creates what is missing. Several processes may do so at once. */
export function createTables(db) {
  db.pragma('busy_timeout = 5000');
  db.pragma('journal_mode = WAL');
  db.transaction(() => db.exec(TABLES)).immediate();
}
