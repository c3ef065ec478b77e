import { expect, it } from 'vitest';
import { lackOf } from '../../../toolkit/src/service-interface.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { WEBHOOK_STORAGE } from '../../src/storage/storage-methods.ts';

it('finds nothing missing in the storage in memory', () => {
  expect(lackOf('storage', memoryStorage(), WEBHOOK_STORAGE)).toBeUndefined();
});

it.each(Object.keys(WEBHOOK_STORAGE.methods))('finds a storage without %s', (method) => {
  const storage = { ...memoryStorage(), [method]: undefined };
  expect(lackOf('storage', storage, WEBHOOK_STORAGE)).toBe(
    `storage lacks the method ${method} of WebhookStorage`,
  );
});
