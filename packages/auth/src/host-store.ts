import { withDeadline } from '../../toolkit/src/deadline.ts';
import type { ServiceInterface } from '../../toolkit/src/service-interface.ts';
import { AuthError, isAuthError } from './errors.ts';
import { HOST_CALL_TIMEOUT_MS } from './host-call.ts';

/** The methods that a store must have, each with what follows `could not` in its errors. */
export interface StoreInterface<Store> extends ServiceInterface<Store, string> {
  /** The store, as a message begins: `The session store`. */
  readonly label: string;
}

/** A call of a store that has failed. */
export interface FailedCall {
  readonly error: unknown;
  /** A sentence without its end: `The session store could not revoke a session`. */
  readonly words: string;
  readonly args: readonly unknown[];
}

/**
 * Returns the host's store, whose failures are errors of this package: `unavailable`, with the
 * error of the store or its driver as the `cause` and never in the message.
 *
 * Errors of this package stay as they are. So does every error of a call in a transaction of the
 * host's, which decides by the error of its driver whether to repeat the transaction. Other calls
 * than these and a purge, for which no request waits, fail after 30 s.
 */
export function hostStore<Store extends object>(store: Store, wanted: StoreInterface<Store>): Store {
  return withFailures(
    store,
    wanted,
    ({ error, words, args }) =>
      isAuthError(error) || isInTransaction(args)
        ? error
        : new AuthError('unavailable', words, { cause: error }),
    (name, args) => name !== 'purge' && !isInTransaction(args),
  );
}

/** Returns the store with other errors in place of its own. Bounded calls fail after 30 s. */
export function withFailures<Store extends object>(
  store: Store,
  { label, methods }: StoreInterface<Store>,
  replace: (call: FailedCall) => unknown,
  isBounded: (name: string, args: readonly unknown[]) => boolean = () => false,
): Store {
  const host: object = store;
  const replacing = (name: string, does: unknown) => {
    return async (...args: readonly unknown[]) => {
      const words = `${label} could not ${does}`;
      const refuseLate = () => {
        throw new AuthError('unavailable', `${words} within ${HOST_CALL_TIMEOUT_MS} ms`);
      };
      try {
        const call: unknown = Reflect.apply(Reflect.get(host, name), host, args);
        const answer = isBounded(name, args)
          ? withDeadline(call, HOST_CALL_TIMEOUT_MS, refuseLate, { unref: true })
          : call;
        // A driver, and therefore a store, may say null if nothing was found.
        return (await answer) ?? undefined;
      } catch (error) {
        throw replace({ error, words, args });
      }
    };
  };
  const entries: readonly (readonly unknown[])[] = Object.entries(methods).map(([name, does]) => [
    name,
    replacing(name, does),
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

function isInTransaction([call]: readonly unknown[]): boolean {
  return typeof call === 'object' && call !== null && 'transaction' in call && call.transaction !== undefined;
}
