import type { Logger } from '../logging/logger.ts';
import { describeError } from '../logging/redacted-error.ts';

/**
 * Calls a host's hook, if there is one. A hook that throws or rejects is logged and changes
 * nothing.
 */
export function callHook<Args extends unknown[]>(
  logger: Logger,
  name: string,
  hook: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  if (hook === undefined) return;
  const logFailure = (error: unknown) =>
    logger.error({ error: describeError(error), hook: name }, 'a webhook hook failed');
  try {
    const answer = hook(...args);
    if (isThenable(answer)) Promise.resolve(answer).catch(logFailure);
  } catch (error) {
    logFailure(error);
  }
}

/** Promises of other libraries, and of other realms, are not instances of `Promise`. */
function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  );
}
