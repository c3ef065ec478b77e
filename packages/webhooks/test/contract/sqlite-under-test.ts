import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { databaseUnderTest } from './database-under-test.ts';

/**
 * SQLite waits for no lock itself, so that every collision of the two connections reaches the
 * retries.
 */
export function sqliteUnderTest(): ReturnType<typeof databaseUnderTest> {
  return databaseUnderTest({ create: async () => sqliteFile() });
}
