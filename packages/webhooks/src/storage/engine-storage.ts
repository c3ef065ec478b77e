import { serviceOption } from '../../../toolkit/src/options.ts';
import type { Clock } from '../clock.ts';
import { isWebhookError, WebhookError } from '../errors.ts';
import { redactedError } from '../logging/redacted-error.ts';
import type { WebhookStorage } from './storage.ts';
import { WEBHOOK_STORAGE } from './storage-methods.ts';
import { createWriteWatch, type WriteWatch } from './write-watch.ts';

/**
 * The storage as the engine calls it, and a watch over its writes. Every failure gets the code
 * `storage_unavailable`, so that callers meet one kind of error whatever the database. Its cause
 * keeps the message of the storage's own error, without the values that drivers attach to theirs.
 *
 * @throws TypeError naming the methods that the storage lacks
 */
export function engineStorage<Transaction>(
  storage: WebhookStorage<Transaction>,
  monotonicClock?: Clock,
): { readonly storage: WebhookStorage<Transaction>; readonly writes: WriteWatch } {
  serviceOption<WebhookStorage<Transaction>>('storage', storage, WEBHOOK_STORAGE);
  const writes = createWriteWatch(monotonicClock);
  const called = (name: string, words: string) => {
    return async (...given: unknown[]): Promise<unknown> => {
      const write = writes.observe(name, given);
      try {
        const method: unknown = Reflect.get(storage, name);
        const answer = typeof method === 'function' ? await Reflect.apply(method, storage, given) : undefined;
        write?.ended(answer);
        return answer;
      } catch (cause) {
        write?.failed();
        if (isWebhookError(cause)) throw cause;
        throw new WebhookError('storage_unavailable', `The webhook storage failed to ${words}`, {
          cause: redactedError(cause),
        });
      }
    };
  };
  const methods = Object.entries({
    ...WEBHOOK_STORAGE.methods,
    assertReady: 'be checked',
    ...(storage.stepBacklogs && { stepBacklogs: 'step backlogs' }),
  });
  return {
    storage: Object.fromEntries(methods.map(([name, words]): unknown[] => [name, called(name, words)])),
    writes,
  };
}
