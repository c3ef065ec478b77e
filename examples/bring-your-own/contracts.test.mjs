import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { queueContract, storageContract } from '@acme/webhooks/testing';
import Database from 'libsql';
import { sqliteStorage } from './sqlite-storage.mjs';
import { tableQueue } from './table-queue.mjs';

/** A database of one case. Each connection stands for a process. */
function createDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'bring-your-own-'));
  const connections = [];
  return {
    connect() {
      const db = new Database(join(folder, 'test.db'));
      connections.push(db);
      return db;
    },
    async close() {
      for (const db of connections) db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function createStorage() {
  const { connect, close } = createDatabase();
  return { storage: sqliteStorage(connect()), secondProcess: sqliteStorage(connect()), close };
}

async function createQueue() {
  const { connect, close } = createDatabase();
  return { queue: tableQueue(connect()), secondProcess: () => tableQueue(connect()), close };
}

const timeout = 60_000;

describe('the storage', () => {
  for (const { name, run } of storageContract(createStorage, { hasSecondProcess: true })) {
    test(name, { timeout }, run);
  }
});

// They wait for real time to pass: at once, they take as long as the longest.
describe('the queue', { concurrency: 32 }, () => {
  for (const { name, run } of queueContract(createQueue, { hasSecondProcess: true })) {
    test(name, { timeout }, run);
  }
});
