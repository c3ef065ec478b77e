import { afterEach, beforeEach } from 'vitest';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createTestEngine, type TestEngine } from './engine.ts';
import { type Answer, type Recipient, startRecipient } from './recipient.ts';
import type { OpenedStorage } from './storages.ts';

type EngineOptions = Parameters<typeof createTestEngine>[1];

/** What a test of the engine stands on; everything is closed after each test. */
export interface EngineHarness {
  readonly storage: WebhookStorage<never>;
  engine(options?: EngineOptions, storage?: WebhookStorage<never>): TestEngine;
  recipient(answer?: Answer): Promise<Recipient>;
}

/** Opens a new storage before each test of the surrounding `describe`. */
export function useEngineHarness(open: () => Promise<OpenedStorage>): EngineHarness {
  let opened: OpenedStorage;
  const engines: TestEngine[] = [];
  const recipients: Recipient[] = [];

  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    const closing = Promise.all(engines.splice(0).map(({ webhooks }) => webhooks.close()));
    // Answers that a test holds back would hold up the close for as long as an attempt may take.
    await Promise.all(recipients.splice(0).map((recipient) => recipient.close()));
    await closing;
    await opened.close();
  });

  return {
    get storage() {
      return opened.storage;
    },
    engine(options = {}, storage = opened.storage) {
      const created = createTestEngine(storage, options);
      engines.push(created);
      return created;
    },
    async recipient(answer) {
      const started = await startRecipient(answer);
      recipients.push(started);
      return started;
    },
  };
}
