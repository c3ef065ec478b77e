import { withDeadline } from '../../../toolkit/src/deadline.ts';

/**
 * Waits for a promise, but not for ever: a backend that is away may never answer.
 *
 * @throws Error naming what took too long; the promise itself goes on unobserved
 */
export async function withTimeout<Result>(
  ms: number,
  what: string,
  result: Promise<Result>,
): Promise<Result> {
  return await withDeadline(result, ms, () => {
    throw new Error(`${what} took longer than ${ms} ms`);
  });
}
