import { describe, expect, it } from 'vitest';
import { WebhookError } from '../../src/errors.ts';
import { engineStorage } from '../../src/storage/engine-storage.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

type Call = (...given: unknown[]) => Promise<unknown>;

/** The methods of a storage that answer a promise. */
const { assertReady: _a, stepBacklogs: _s, ...required } = memoryStorage();
const METHODS = Object.keys(required);
const OPTIONAL = ['assertReady', 'stepBacklogs'];

/** A storage whose every method answers as `call` does, which is told the method's name first. */
function storageOf(call: (method: string, ...given: unknown[]) => unknown): WebhookStorage<never> {
  const methods = [...METHODS, ...OPTIONAL].map((method) => [
    method,
    async (...given: unknown[]) => call(method, ...given),
  ]);
  return Object.fromEntries(methods);
}

/** A method of a storage by its name. */
function methodOf(storage: WebhookStorage<never>, method: string): Call {
  const found: unknown = Reflect.get(storage, method);
  return typeof found === 'function' ? (found as Call) : expect.fail(`there is no ${method}`);
}

const rejection = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call did not reject'),
    (error: unknown) => error,
  );

describe('the storage as the engine calls it', () => {
  it.each([...METHODS, ...OPTIONAL])('gives a failure of %s the one code of storages', async (method) => {
    const cause = new Error('connection lost');
    const { storage: coded } = engineStorage(
      storageOf(() => {
        throw cause;
      }),
    );
    expect(await rejection(methodOf(coded, method)({}))).toMatchObject({
      name: 'WebhookError',
      code: 'storage_unavailable',
      message: expect.stringMatching(/^The webhook storage failed to \w/),
      cause: { message: 'connection lost' },
    });
  });

  it('keeps of the cause what a log may keep: no values of the driver', async () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (secret)=(hidden) already exists.',
      parameters: ['hidden'],
    });
    const { storage: coded } = engineStorage(storageOf(() => Promise.reject(cause)));
    const error = await rejection(coded.findWebhook(1));
    expect(error).toMatchObject({ cause: { message: 'duplicate key', code: '23505' } });
    expect(error).not.toHaveProperty('cause.detail');
    expect(error).not.toHaveProperty('cause.parameters');
  });

  it('leaves a coded error as it is', async () => {
    const own = new WebhookError('storage_misconfigured', 'The tables are missing');
    const { storage: coded } = engineStorage(storageOf(() => Promise.reject(own)));
    expect(await rejection(coded.findWebhook(1))).toBe(own);
  });

  it.each(METHODS)('refuses a storage that lacks %s', (method) => {
    const { [method as keyof WebhookStorage]: _, ...storage } = storageOf(() => undefined);
    expect(() => engineStorage(storage as WebhookStorage<never>)).toThrow(
      new TypeError(`storage lacks the method ${method} of WebhookStorage`),
    );
  });
});
