import { serviceOption } from '../../../toolkit/src/options.ts';
import { isWebhookError, WebhookError } from '../errors.ts';
import { redactedError } from '../logging/redacted-error.ts';
import type { WebhookStorage } from './storage.ts';
import { WEBHOOK_STORAGE } from './storage-methods.ts';

/**
 * Gives every failure of a storage the code `storage_unavailable`, so that callers meet one kind of
 * error whatever the database. Its cause keeps the message of the storage's own error, without the
 * values that drivers attach to theirs.
 *
 * @throws TypeError naming the methods that the storage lacks
 */
export function withCodedErrors<Transaction>(
  storage: WebhookStorage<Transaction>,
): WebhookStorage<Transaction> {
  serviceOption<WebhookStorage<Transaction>>('storage', storage, WEBHOOK_STORAGE);
  const coded = (name: string, words: string) => {
    return async (...given: unknown[]): Promise<unknown> => {
      try {
        const method: unknown = Reflect.get(storage, name);
        return typeof method === 'function' ? await Reflect.apply(method, storage, given) : undefined;
      } catch (cause) {
        if (isWebhookError(cause)) throw cause;
        throw new WebhookError('storage_unavailable', `The webhook storage failed to ${words}`, {
          cause: redactedError(cause),
        });
      }
    };
  };
  const methods = Object.entries({ ...WEBHOOK_STORAGE.methods, assertReady: 'be checked' });
  return Object.fromEntries(methods.map(([name, words]): unknown[] => [name, coded(name, words)]));
}
