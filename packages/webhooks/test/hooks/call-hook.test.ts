import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { callHook } from '../../src/hooks/call-hook.ts';
import { type Logger, silentLogger } from '../../src/logging/logger.ts';

/** What a hook's failure leaves in the log, once everything that it rejects with has arrived. */
async function loggedAfter(hook: ((...args: string[]) => unknown) | undefined): Promise<unknown[]> {
  const logged: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (fields, message) => logged.push({ message, ...fields }) };
  callHook(logger, 'onError', hook, 'one', 'two');
  await new Promise((resolve) => setImmediate(resolve));
  return logged;
}

describe('a hook of the host', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('in the hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('in the hook'))],
    // A hook in a sandbox answers a promise of another realm, which is no instance of Promise.
    ['rejects in another realm', () => runInNewContext('Promise.reject(new Error("in the hook"))')],
    [
      'answers a thenable that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: what another library's promise looks like
        then() {
          throw new Error('in the hook');
        },
      }),
    ],
  ])('that %s is logged once, and disturbs nobody', async (_, hook) => {
    expect(await loggedAfter(hook)).toEqual([
      {
        message: 'a webhook hook failed',
        hook: 'onError',
        error: expect.objectContaining({ message: 'in the hook' }),
      },
    ]);
  });
});
