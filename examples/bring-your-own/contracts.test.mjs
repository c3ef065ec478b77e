import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { queueContract, storageContract } from '@acme/webhooks/testing';
import Database from 'libsql';
import { sqliteStorage } from './sqlite-storage.mjs';
import { tableQueue } from './table-queue.mjs';

/** A database of one case. Each connection stands for a process. */
async function createDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'bring-your-own-'));
  const [first, second] = [1, 2].map(() => new Database(join(folder, 'test.db')));
  const close = async () => {
    for (const db of [first, second]) db.close();
    rmSync(folder, { recursive: true });
  };
  return { first, second, close };
}

async function createStorage() {
  const { first, second, close } = await createDatabase();
  return { storage: sqliteStorage(first), secondProcess: sqliteStorage(second), close };
}

async function createQueue() {
  const { first, second, close } = await createDatabase();
  return { queue: tableQueue(first), secondProcess: () => tableQueue(second), close };
}

function describeContract(name, cases, options) {
  describe(name, options, () => {
    for (const one of cases) test(one.name, { timeout: 60_000 }, one.run);
  });
}

describeContract('the storage', storageContract(createStorage, { hasSecondProcess: true }));
// They wait for real time to pass: at once, they take as long as the longest.
describeContract('the queue', queueContract(createQueue, { hasSecondProcess: true }), {
  concurrency: 32,
});
