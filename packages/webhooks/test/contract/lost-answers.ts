import type { CompiledQuery, Dialect } from 'kysely';

/** Loses the answers to what commits. */
export interface LostAnswers {
  /** The dialect, whose connections lose answers when they are told to. */
  readonly dialect: Dialect;
  /** The next statement that commits, or the next transaction, is carried out, and then rejects. */
  loseNextAnswer(): void;
}

/** Statements that write and are a transaction by themselves, where none was begun. */
const WRITES = /^\s*(?:insert|update|delete|with)\b/;
const BEGINS = /^\s*(?:begin|start transaction)\b/;

/** Makes the connections of a dialect such that the answer to a commit can be lost. */
export function losingAnswers(dialect: Dialect): LostAnswers {
  let isArmed = false;
  const lose = () => {
    if (!isArmed) return;
    isArmed = false;
    throw new Error('Connection lost');
  };
  const createDriver = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = createDriver();
    const [begin, commit] = [driver.beginTransaction.bind(driver), driver.commitTransaction.bind(driver)];
    const acquireConnection = driver.acquireConnection.bind(driver);
    let isWithin = false;
    driver.beginTransaction = async (...settings) => {
      await begin(...settings);
      isWithin = true;
    };
    driver.commitTransaction = async (connection) => {
      await commit(connection);
      isWithin = false;
      lose();
    };
    driver.acquireConnection = async () => {
      const connection = await acquireConnection();
      const executeQuery = connection.executeQuery;
      isWithin = false;
      connection.executeQuery = async <Row>(query: CompiledQuery) => {
        const result = await executeQuery.call(connection, query);
        if (BEGINS.test(query.sql)) isWithin = true;
        if (query.sql === 'commit') isWithin = false;
        if (query.sql === 'commit' || (!isWithin && WRITES.test(query.sql))) lose();
        return result as Awaited<ReturnType<typeof executeQuery<Row>>>;
      };
      return connection;
    };
    return driver;
  };
  return {
    dialect,
    loseNextAnswer() {
      isArmed = true;
    },
  };
}
