import { type QueryExecutorProvider, sql } from 'kysely';
import { findRowFault } from '../../../../toolkit/src/kysely/driver-rows.ts';

/** Modes of SQL in which our statements fail, or mean something else; and why. */
const REFUSED_MODES: readonly (readonly [mode: string, because: string])[] = [
  ['NO_BACKSLASH_ESCAPES', 'mysql2 escapes the quotes of a text by backslashes'],
  ['ORACLE', '`begin`, by which a transaction is opened, begins a block there'],
  ['EMPTY_STRING_IS_NULL', 'empty texts are no NULL'],
];

/**
 * One character of each length in UTF-8: it comes back unchanged where no setting has another
 * character set.
 */
const PROBE = 'a é 日 😀';

/** A limit that no statement of ours reaches; the default is 2^64 - 1, which drivers round. */
const UNLIMITED_ROWS = 2 ** 32 - 1;

/** The values of `completion_type` with which a commit only commits. */
const NO_CHAIN: readonly string[] = ['NO_CHAIN', '0'];

interface Settings {
  readonly autocommit: unknown;
  readonly completion_type: unknown;
  readonly sql_mode: unknown;
  readonly safe_updates: unknown;
  readonly row_limit: unknown;
  readonly client: unknown;
  readonly connection: unknown;
  readonly results: unknown;
}

/**
 * The setting of the session that would damage what is kept, and what to set; undefined if there
 * is none.
 */
export async function findMysqlFault(connection: QueryExecutorProvider): Promise<string | undefined> {
  const fault = await findRowFault(connection);
  if (fault !== undefined) return fault;
  const { rows } = await sql<Settings>`
    select @@autocommit as autocommit, @@completion_type as completion_type, @@sql_mode as sql_mode, @@sql_safe_updates as safe_updates,
      @@sql_select_limit as row_limit, @@character_set_client as client,
      @@character_set_connection as connection, @@character_set_results as results`.execute(connection);
  const [settings] = rows;
  if (settings === undefined) return undefined;
  const modes = new Set(String(settings.sql_mode).split(','));
  for (const [mode, because] of REFUSED_MODES) {
    if (modes.has(mode))
      return `sql_mode must not have ${mode}, for ${because}: take it out for the connections of db`;
  }
  if (Number(settings.autocommit) !== 1) {
    return 'autocommit is off, so that a connection goes on seeing what was true long ago: set autocommit = 1 for the connections of db';
  }
  if (!NO_CHAIN.includes(String(settings.completion_type))) {
    return 'completion_type begins another transaction with each commit, in which what is written next stays: set completion_type = NO_CHAIN for the connections of db';
  }
  if (Number(settings.safe_updates) !== 0) {
    return 'sql_safe_updates refuses results of deliveries: set sql_safe_updates = 0 for the connections of db';
  }
  if (Number(settings.row_limit) < UNLIMITED_ROWS) {
    return 'sql_select_limit would leave out subscribers: set sql_select_limit = default for the connections of db';
  }
  if (await keepsCharacters(connection)) return undefined;
  const { client, connection: literals, results } = settings;
  return `the connections of db must be utf8mb4 (character_set_client is ${client}, character_set_connection ${literals}, character_set_results ${results}): give mysql2 no \`charset\`, or 'utf8mb4', and set no names`;
}

/**
 * The setting that makes the session read-only. That the server only reads may change at any time,
 * and is no fault of the host's.
 */
export async function findMysqlReadOnlySetting(
  connection: QueryExecutorProvider,
): Promise<string | undefined> {
  const { rows } = await sql<{ Value: string }>`show session variables
    where variable_name in ('transaction_read_only', 'tx_read_only')`.execute(connection);
  if (rows.every(({ Value }) => Value !== 'ON')) return undefined;
  return 'transaction_read_only (MariaDB: tx_read_only) is on, so that nothing can be written: set session transaction read write for the connections of db';
}

async function keepsCharacters(connection: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ sent: unknown; received: unknown }>`
    select hex(convert(${PROBE} using utf8mb4)) as sent, convert(${PROBE} using utf8mb4) as received`.execute(
    connection,
  );
  const [probe] = rows;
  const sent = Buffer.from(PROBE).toString('hex').toUpperCase();
  return probe?.sent === sent && probe.received === PROBE;
}
