import type { DatabaseName } from '../database-name.ts';

/** What the errors of a database's drivers mean. */
export interface DriverErrors {
  /**
   * Whether another connection was in the way: the same transaction may succeed when it is tried
   * again.
   */
  isContention(error: unknown): boolean;
  /** Whether the contention is a row that another transaction keeps locked. */
  isLocked(error: unknown): boolean;
  /** Whether a table or a column does not exist. */
  isMissing(error: unknown): boolean;
  isMissingTable(error: unknown): boolean;
  /** Whether the name of a new table, index or constraint is taken. */
  isNameTaken(error: unknown): boolean;
}

/** Primary result codes, https://www.sqlite.org/rescode.html: SQLITE_BUSY and SQLITE_LOCKED. */
const SQLITE_CONTENTION: readonly unknown[] = [5, 6];

const SQLITE: DriverErrors = {
  isContention(error) {
    // better-sqlite3 and libsql name the code; node:sqlite and Bun give its number, extended codes
    // in the high bytes.
    const code = memberOf(error, 'code');
    if (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)) return true;
    const number = memberOf(error, 'errcode') ?? memberOf(error, 'errno');
    return typeof number === 'number' && SQLITE_CONTENTION.includes(number & 0xff);
  },
  // Writers run one at a time: it is the database that is locked.
  isLocked: () => false,
  // Drivers have no error codes for these.
  isMissing: (error) => /\bno such (table|column): |\bhas no column named /.test(messageOf(error)),
  isMissingTable: (error) => /\bno such table: /.test(messageOf(error)),
  isNameTaken: (error) => /\balready exists$|\balready (a table|an index) named\b/.test(messageOf(error)),
};

/** What the errors of each database mean. Drivers add the codes under names of their own. */
export const DRIVER_ERRORS: Readonly<Record<DatabaseName, DriverErrors>> = {
  sqlite: SQLITE,
  // SQLSTATE
  postgres: errorsBy('code', {
    // serialization_failure, deadlock_detected, lock_not_available (`lock_timeout`)
    contention: ['40001', '40P01', '55P03'],
    locked: ['55P03'],
    // undefined_table, undefined_column
    missingTable: '42P01',
    missingColumn: '42703',
    // duplicate_table, also for an index or a view, and duplicate_object
    nameTaken: ['42P07', '42710'],
  }),
  mysql: errorsBy('errno', {
    // Deadlock, lock wait timeout, MySQL's "would have to wait" (MariaDB: 1205), MariaDB's "changed
    // since last read". Two of them name a lock which another transaction keeps.
    contention: [1213, 1205, 3572, 1020],
    locked: [1205, 3572],
    // ER_NO_SUCH_TABLE, ER_BAD_FIELD_ERROR
    missingTable: 1146,
    missingColumn: 1054,
    // ER_TABLE_EXISTS_ERROR, ER_FK_DUP_NAME
    nameTaken: [1050, 1826],
  }),
};

interface ErrorCodes {
  readonly contention: readonly unknown[];
  readonly locked: readonly unknown[];
  readonly missingTable: unknown;
  readonly missingColumn: unknown;
  readonly nameTaken: readonly unknown[];
}

function errorsBy(member: string, codes: ErrorCodes): DriverErrors {
  const isOneOf = (wanted: readonly unknown[]) => (error: unknown) =>
    wanted.includes(memberOf(error, member));
  return {
    isContention: isOneOf(codes.contention),
    isLocked: isOneOf(codes.locked),
    isMissing: isOneOf([codes.missingTable, codes.missingColumn]),
    isMissingTable: isOneOf([codes.missingTable]),
    isNameTaken: isOneOf(codes.nameTaken),
  };
}

/** A member of some driver's error; undefined if it has none of that name. */
export function memberOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function messageOf(error: unknown): string {
  return String(memberOf(error, 'message'));
}
