/**
 * Waits for a promise, but not for ever: an engine that is away may never answer.
 *
 * @throws Error naming what took too long; the promise itself goes on unobserved
 */
export async function within<Result>(ms: number, what: string, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
