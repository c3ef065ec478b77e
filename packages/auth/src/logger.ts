import { redactedError } from './redacted-error.ts';

/**
 * Receives the failures that an operator has to see. The arguments have the order of pino: fields,
 * then the message. `console` fits too and is the default.
 *
 * The package reports only failures of the host's own parts: a validator, a store, a clock. `err`
 * is then an `Error` with the name, code and message of the thrown error and the place in the code.
 * It has none of the values that drivers attach to errors or that messages quote. A refused
 * credential is an ordinary answer and is not logged.
 */
export interface Logger {
  error(fields: object, message: string): void;
}

/**
 * Returns the host's logger as the package uses it. Every error that it gets is redacted. If it
 * throws, its caller goes on unaffected: a logger must not decide who is let in, keep an answer
 * from being sent, or keep a revocation from taking effect.
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
        // No one is left to report this to.
      }
    },
  });
}
