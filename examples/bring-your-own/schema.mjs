/**
 * The tables. Triggers keep the counts and the revisions, so that no method can forget them, and
 * reading them costs the same whatever the number of deliveries.
 */
const TABLES = `
create table if not exists webhooks (
  id integer primary key autoincrement, -- no id comes back after a webhook was removed
  url text not null,
  description text not null,
  events text not null, -- a JSON array of patterns
  is_active integer not null,
  inactive_reason text not null default '',
  inactive_since text,
  secret text not null,
  previous_secret text,
  previous_secret_expires_at text,
  created_by integer not null,
  created_by_uid text,
  created_at text not null,
  updated_at text not null,
  activation integer not null default 0,
  last_success_at text,
  last_failure_at text,
  revision integer not null default 0
);

create table if not exists deliveries (
  id integer primary key autoincrement,
  webhook_id integer not null references webhooks,
  delivery_id text not null unique,
  is_test integer not null, -- whether an administrator sent it to try the webhook
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
  series_start integer not null default 0, -- the attempts made before the current series
  claim_token text, -- of the last claim, until its result is recorded
  lease_ends_ms integer not null default 0,
  recorded_token text, -- of the claim whose result was recorded last
  activation integer not null -- the webhook's, when the last result was claimed
);
create index if not exists deliveries_ready on deliveries (webhook_id, priority_ms, id)
  where status = 'pending';
create index if not exists deliveries_due on deliveries (due_ms) where status = 'pending';
create index if not exists deliveries_of_webhook on deliveries (webhook_id, id);
create index if not exists deliveries_ended on deliveries (webhook_id, completed_at)
  where status = 'failed';
create index if not exists deliveries_failed on deliveries (created_at, id)
  where status = 'failed';
create index if not exists deliveries_by_place on deliveries (created_at, id);
create index if not exists deliveries_of_event on deliveries (event, created_at, id);

create table if not exists idempotency_keys (
  event text not null,
  key text not null,
  dispatch_id text not null,
  created_at text not null,
  primary key (event, key)
) without rowid;
create index if not exists idempotency_keys_by_age on idempotency_keys (created_at);

create table if not exists delivery_counts (
  webhook_id integer not null,
  hour text not null,
  status text not null,
  number integer not null,
  primary key (webhook_id, hour, status)
) without rowid;

-- One row: how many webhooks were added, changed or removed.
create table if not exists webhook_revision (number integer not null);
insert into webhook_revision select 0 where not exists (select * from webhook_revision);
`;

const hourOf = (row) => `substr(${row}.created_at, 1, 13) || ':00:00.000Z'`;

const countOne = (row) => `
  insert into delivery_counts values (${row}.webhook_id, ${hourOf(row)}, ${row}.status, 1)
    on conflict (webhook_id, hour, status) do update set number = number + 1;`;

const discountOne = (row) => `
  update delivery_counts set number = number - 1
    where webhook_id = ${row}.webhook_id and hour = ${hourOf(row)} and status = ${row}.status;
  delete from delivery_counts where number = 0
    and webhook_id = ${row}.webhook_id and hour = ${hourOf(row)} and status = ${row}.status;`;

const revise = (row) => `
  update webhooks set revision = revision + 1 where id = ${row}.webhook_id;`;

const reviseAll = 'update webhook_revision set number = number + 1;';

const TRIGGERS = `
create trigger if not exists delivery_added after insert on deliveries
  begin ${countOne('new')} ${revise('new')} end;
create trigger if not exists delivery_changed after update of status on deliveries
  when new.status <> old.status
  begin ${discountOne('old')} ${countOne('new')} ${revise('new')} end;
create trigger if not exists delivery_removed after delete on deliveries
  begin ${discountOne('old')} ${revise('old')} end;
create trigger if not exists webhook_added after insert on webhooks begin ${reviseAll} end;
create trigger if not exists webhook_changed after update of updated_at on webhooks
  begin ${reviseAll} end;
create trigger if not exists webhook_removed after delete on webhooks begin ${reviseAll} end;
`;

/** Creates what is missing. Several processes may do so at once. */
export function createTables(db) {
  db.pragma('busy_timeout = 5000');
  db.pragma('journal_mode = WAL');
  db.transaction(() => db.exec(TABLES + TRIGGERS)).immediate();
}
