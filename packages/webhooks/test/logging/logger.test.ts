import { describe, expect, it } from 'vitest';
import { type Logger, nonThrowingLogger, silentLogger } from '../../src/logging/logger.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A logger in which every method does this. */
const loggerOf = (write: (...line: unknown[]) => unknown): Logger => ({
  debug: (...line) => write('debug', ...line),
  info: (...line) => write('info', ...line),
  warn: (...line) => write('warn', ...line),
  error: (...line) => write('error', ...line),
});

describe('nonThrowingLogger', () => {
  it("calls a method on the host's own logger", () => {
    const logger = {
      ...silentLogger,
      lines: [] as string[],
      warn(_fields: object, message: string) {
        this.lines.push(message);
      },
    };
    nonThrowingLogger(logger).warn({}, 'slow');
    expect(logger.lines).toEqual(['slow']);
  });

  it.each(LEVELS)('leaves no rejection unhandled where %s rejects', async (level) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      nonThrowingLogger(loggerOf(async () => Promise.reject(new Error('the disk is full'))))[level]({}, 'x');
      await new Promise(setImmediate);
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
});
