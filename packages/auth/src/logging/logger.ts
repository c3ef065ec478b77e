import { unaffected } from '../../../toolkit/src/unaffected.ts';
import { redactedError } from './redacted-error.ts';

/**
 * Receives what an operator has to see. The arguments have the order of pino: fields, then the
 * message. `console` fits too.
 *
 * Neither method gets a token, a key, a cookie or a password.
 */
export interface Logger {
  /**
   * Receives the failures of the host's own parts: a validator, a store, a clock, a hook. `err` is
   * an `Error` with the name, code and message of the thrown error and the place in the code. It
   * has none of the values that drivers attach to errors or that messages quote.
   */
  error(fields: object, message: string): void;
  /**
   * Receives a line for each credential and request that is refused, if the method exists: what was
   * expected and what came. The default logger has no such method, because clients choose how many
   * lines there are. `logger: console` shows them during development.
   */
  debug?(fields: object, message: string): void;
}

const output: Pick<Console, 'error'> = console;

/** The default: errors go to `console`, debug lines nowhere. */
export const defaultLogger: Logger = Object.freeze({
  error: (fields: object, message: string) => output.error(fields, message),
});

/**
 * Returns the host's logger as the package uses it. Every error that it gets is redacted. If it
 * throws or rejects, its caller goes on unaffected: a logger must not decide who is let in, keep an
 * answer from being sent, or keep a revocation from taking effect.
 *
 * @throws TypeError when a host passes something else: at construction, not at the first failure
 */
export function resolveLogger(logger: Logger): Logger {
  if (typeof logger?.error !== 'function') {
    throw new TypeError('logger must have a method error(fields, message)');
  }
  if (logger.debug !== undefined && typeof logger.debug !== 'function') {
    throw new TypeError('logger.debug must be a method debug(fields, message), or be left out');
  }
  return Object.freeze({
    error: (fields: object, message: string) =>
      unaffected(() =>
        logger.error('err' in fields ? { ...fields, err: redactedError(fields.err) } : fields, message),
      ),
    ...(logger.debug !== undefined && {
      debug: (fields: object, message: string) => unaffected(() => logger.debug?.(fields, message)),
    }),
  });
}
