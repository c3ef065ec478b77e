import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import { createPacedReport, type PacedReport } from '../../../toolkit/src/paced-report.ts';
import { type Logger, silentLogger } from './logger.ts';

const output: Pick<Console, 'error' | 'warn'> = console;

/** What tells the kinds of errors apart, of the fields of their lines. */
interface LoggedError {
  readonly source?: string;
  readonly code?: string;
  readonly hook?: string;
  readonly failures?: number;
}

/**
 * The default of a host that hears of errors in no other way: they go to the console, the first of
 * a kind at once, those of each following minute as one line with their number.
 */
export function consoleLogger(): Logger {
  // As many as there are messages, sources and codes of ours.
  const kinds = new Map<string, PacedReport<object>>();
  // Made in the context of the logger: what is reported together belongs to no request.
  const newReport = outsideRequests.bind((message: string) =>
    createPacedReport<object>((failures, last) => output.error({ ...last, failures }, message)),
  );
  return Object.freeze({
    ...silentLogger,
    error(fields: LoggedError, message: string) {
      const kind = [message, fields.source, fields.code, fields.hook].join();
      const report = kinds.get(kind) ?? newReport(message);
      kinds.set(kind, report);
      report.note(fields, fields.failures);
    },
  });
}

/** The default of APIs and pages, whose few warnings are of the host's own options: they are told, too. */
export function consoleLoggerOfHandlers(): Logger {
  return Object.freeze({
    ...consoleLogger(),
    warn: (fields: object, message: string) => output.warn(fields, message),
  });
}
