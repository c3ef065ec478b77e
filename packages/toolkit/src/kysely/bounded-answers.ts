import { withMembers } from '../with-members.ts';
import { POOL_SIGNALS } from './pool-signals.ts';

type Done = (error: unknown, rows?: unknown) => void;

/** A connection of a pool of pg or mysql2. */
export interface Connection {
  query(...args: readonly unknown[]): unknown;
  /** Of pg, with an error: removes the connection from the pool. */
  release(error?: unknown): void;
  /** Of mysql2: removes the connection from the pool, and ends its socket. */
  destroy?(): void;
  readonly stream?: { destroy(): unknown };
}

/** Of pg-cursor. */
interface Cursor {
  read(rows: number): Promise<unknown>;
  close(): Promise<unknown>;
}

interface ConnectionBounds {
  readonly answerTimeoutMs: number;
  /** Whether marked statements are sent by name. */
  readonly isPrepared: boolean;
  /** Those that the connections of a pool owe. */
  readonly owed: Set<PromiseLike<unknown>>;
}

/** For what takes long, and says so: migrations. */
const MAX_WAIT_MS = 3_600_000;
const SIGNALS: ReadonlySet<unknown> = new Set(Object.values(POOL_SIGNALS));
/** Marks a statement that PostgreSQL prepares under this name. */
const NAMED = /^\/\* name: (\w{1,63}) \*\/ /;

/** Wraps a connection: without an answer in time it is destroyed, and what waits for it rejects. */
export function withBoundedAnswers(
  connection: Connection,
  { answerTimeoutMs, isPrepared, owed }: ConnectionBounds,
): Connection {
  const awaited = new Map<Done, NodeJS.Timeout>();
  let limitMs = answerTimeoutMs;
  let end: Error | undefined;

  function destroy(reason: string): void {
    if (end !== undefined) return;
    end = new Error(`${reason}: its connection is destroyed, and what it did last is not known`);
    if (connection.destroy === undefined) connection.release(end);
    else connection.destroy();
    // Else mysql2 waits for the server's end, which may never come.
    connection.stream?.destroy();
    for (const [reject, timer] of awaited) {
      clearTimeout(timer);
      reject(end);
    }
  }

  function inTime<Answer>(answer: PromiseLike<Answer>): Promise<Answer> {
    const bounded = new Promise<Answer>((resolve, reject) => {
      const arrived = () => {
        clearTimeout(awaited.get(reject));
        awaited.delete(reject);
      };
      Promise.resolve(answer).finally(arrived).then(resolve, reject);
      if (end !== undefined) reject(end);
      else awaited.set(reject, setTimeout(destroy, limitMs, `No answer came within ${limitMs} ms`));
    });
    owed.add(bounded);
    const settled = () => void owed.delete(bounded);
    bounded.then(settled, settled);
    return bounded;
  }

  function obey(signal: unknown): readonly object[] {
    if (signal === POOL_SIGNALS.wait) limitMs = MAX_WAIT_MS;
    if (signal === POOL_SIGNALS.destroy) destroy('A call was given up');
    return [{ bounded_pool: 1 }];
  }

  /** As pg is asked: without a callback. */
  function ask(statement: unknown, values: readonly unknown[]): unknown {
    if (SIGNALS.has(statement))
      return Promise.resolve({ command: 'SELECT', rowCount: 1, rows: obey(statement) });
    const [, name] = (isPrepared && typeof statement === 'string' && NAMED.exec(statement)) || [];
    const answer =
      name === undefined
        ? connection.query(statement, ...values)
        : connection.query({ name, text: statement, values: values[0] });
    if (answer instanceof Promise) return inTime(answer);
    if (!isCursor(answer)) return answer;
    return withMembers(answer, {
      read: (rows) => inTime(answer.read(rows)),
      close: () => inTime(answer.close()),
    });
  }

  /** As mysql2 is asked. */
  function askFor(done: Done, statement: unknown, values: readonly unknown[]): void {
    const answer = new Promise((resolve, reject) => {
      if (SIGNALS.has(statement)) resolve(obey(statement));
      else
        connection.query(statement, ...values, (error: unknown, rows: unknown) =>
          error ? reject(error) : resolve(rows),
        );
    });
    inTime(answer).then((rows) => done(null, rows), done);
  }

  return withMembers(connection, {
    query(statement, ...values) {
      if (end !== undefined) throw end;
      const done = values.at(-1);
      return isCallback(done) ? askFor(done, statement, values.slice(0, -1)) : ask(statement, values);
    },
    release(error) {
      if (end !== undefined) return;
      limitMs = answerTimeoutMs;
      if (awaited.size > 0) destroy('A connection was released before its answer came');
      else connection.release(error);
    },
  });
}

function isCallback(value: unknown): value is Done {
  return typeof value === 'function';
}

function isCursor(value: unknown): value is Cursor {
  return typeof value === 'object' && value !== null && 'read' in value && 'close' in value;
}
