import { redactedError } from './redacted-error.ts';

/**
 * Where the package reports what an operator has to see, in the argument order of pino: fields,
 * then the message. `console` fits too and is the default.
 *
 * Only a failure of the host's own parts (a validator, a store, a clock) is reported. `err` is then
 * an `Error` with the name, code and message of what was thrown and where that was, without the
 * values that drivers hang on theirs and messages quote. A refused credential is an ordinary answer
 * and is not logged.
 */
export interface Logger {
  error(fields: object, message: string): void;
}

/**
 * The host's logger as the package uses it. It gets every error redacted, and one that throws
 * changes nothing for the reporter: it must not decide who is let in, keep an answer from being
 * sent, or a revocation from taking effect.
 *
 * @throws TypeError when a host passes something else: at construction, not at the first failure
 */
export function resolveLogger(logger: Logger): Logger {
  if (typeof logger?.error !== 'function') {
    throw new TypeError('logger must have a method error(fields, message)');
  }
  return Object.freeze({
    error(fields: object, message: string): void {
      try {
        logger.error('err' in fields ? { ...fields, err: redactedError(fields.err) } : fields, message);
      } catch {
        // There is nobody left to tell.
      }
    },
  });
}
