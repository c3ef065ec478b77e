import { type ContractCase, storageContract } from '../../contract/storage-contract.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { WEBHOOK_STORAGE } from '../../src/storage/storage-methods.ts';

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

/** A harness of a storage that is a class, too. */
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

/** The contract on them. The first case says whether it sees what stands on a prototype. */
export function casesOfClasses(): readonly ContractCase[] {
  const cases = storageContract(async () => new ClassUnderTest(), {
    hasSecondProcess: true,
    hasTransactions: true,
  });
  return cases.filter(({ name }) => !name.includes('transaction'));
}
