import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { createPacedReport } from '../../../toolkit/src/paced-report.ts';
import type { Logger } from '../logging/logger.ts';
import { describeError } from '../logging/redacted-error.ts';

/** A method: its parameters compare in both directions, so a host names the type of `native`. */
interface Choice<Value> {
  choose(request: Request, native: unknown): Value | undefined | Promise<Value | undefined>;
}

/** Says what a request gets; `native` is what `authorize` receives besides. */
export type RequestChoice<Value> = Choice<Value>['choose'];

/** As long as `authorize` may take. */
const CHOICE_TIMEOUT_MS = 10_000;

/**
 * Asks a host's function for a request, and makes of its answer what pages need.
 *
 * @param name of the option, for the log
 * @returns a function that never rejects. It gives undefined where the host's function does, and
 *   for an error (also of `make`) and an answer later than 10 s: these are logged, at most once a
 *   minute.
 */
export function perRequest<Value, Made>(
  name: string,
  choose: RequestChoice<Value>,
  make: (value: Value) => Made,
  logger: Logger,
): (request: Request, native: unknown) => Promise<Made | undefined> {
  const failures = createPacedReport<unknown>((count, error) =>
    logger.error({ error: describeError(error), count }, `${name} of a page refused`),
  );
  function refuseLate(): never {
    throw new Error(`${name} has not answered within ${CHOICE_TIMEOUT_MS} ms`);
  }
  return async (request, native) => {
    try {
      const chosen = await withDeadline(choose(request, native), CHOICE_TIMEOUT_MS, refuseLate);
      return chosen === undefined ? undefined : make(chosen);
    } catch (error) {
      failures.note(error);
      return undefined;
    }
  };
}
