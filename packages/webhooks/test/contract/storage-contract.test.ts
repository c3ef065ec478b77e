import { describe, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { WEBHOOK_STORAGE } from '../../src/storage/storage-methods.ts';
import { storageContract } from '../../src/testing/index.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { describeStorage } from './describe-storage.ts';

/** Its methods stand on the prototype and reach a private member, as a host's class may have it. */
class ClassStorage {
  readonly #storage: WebhookStorage<unknown>;

  constructor(storage: WebhookStorage<unknown>) {
    this.#storage = storage;
  }

  static {
    for (const name of Object.keys(WEBHOOK_STORAGE.methods)) {
      Object.defineProperty(ClassStorage.prototype, name, {
        value(this: ClassStorage, ...args: unknown[]): unknown {
          const method: unknown = Reflect.get(this.#storage, name);
          if (typeof method !== 'function') throw new TypeError(`memoryStorage has no ${name}`);
          return Reflect.apply(method, this.#storage, args);
        },
      });
    }
  }

  static over(storage: WebhookStorage<unknown>): WebhookStorage<unknown> {
    return new ClassStorage(storage) as ClassStorage & WebhookStorage<unknown>;
  }
}

class ClassUnderTest {
  readonly #memory = memoryStorage();
  readonly storage = ClassStorage.over(this.#memory);

  get secondProcess(): WebhookStorage<unknown> {
    return ClassStorage.over(this.#memory);
  }

  async inTransaction(): Promise<never> {
    throw new Error('Memory has no transactions');
  }

  async close(): Promise<void> {}
}

describe('memoryStorage', () => {
  const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe('a storage and its harness that are instances of classes', () => {
  const [announced, ...cases] = storageContract(async () => new ClassUnderTest(), {
    hasSecondProcess: true,
    hasTransactions: true,
  });
  test('announces what stands on a prototype', async () => {
    await announced?.run();
  });
  for (const { name, run } of cases.filter(({ name }) => !name.includes('transaction'))) test(name, run);
});

for (const server of databaseServers) describeStorage(server);
