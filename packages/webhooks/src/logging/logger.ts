import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import { unaffected } from '../../../toolkit/src/unaffected.ts';

/** Structured log output in the argument order of pino: fields first, then the message. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The same logger, with methods that never throw. */
export function nonThrowingLogger(logger: Logger): Logger {
  const guarded =
    (level: keyof Logger) =>
    (fields: object, message: string): void =>
      unaffected(() => logger[level](fields, message));
  return Object.freeze({
    debug: guarded('debug'),
    info: guarded('info'),
    warn: guarded('warn'),
    error: guarded('error'),
  });
}

/** What every logger must be able to do. */
export const LOGGER: ServiceInterface<Logger> = {
  name: 'Logger',
  methods: { debug: true, info: true, warn: true, error: true },
};

/** For a host that hears of errors by `onError`. */
export const silentLogger: Logger = Object.freeze({
  debug() {},
  info() {},
  warn() {},
  error() {},
});
