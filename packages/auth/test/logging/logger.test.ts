import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { AuthError } from '../../src/errors.ts';
import { type Logger, resolveLogger } from '../../src/logging/logger.ts';
import { KEY } from '../tokens/forge-token.ts';

const REFRESH_TOKEN = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb22c3f2a1d0e9f8a7b6c';

const failing: Logger = {
  error: () => {
    throw new Error('the disk is full');
  },
};

describe('a logger', () => {
  it('is handed the fields and the message as they are, on itself', () => {
    const logger = {
      lines: [] as (readonly [object, string])[],
      error(fields: object, message: string) {
        this.lines.push([fields, message]);
      },
    };
    resolveLogger(logger).error({ issuedUpTo: 1 }, 'x');
    expect(logger.lines).toEqual([[{ issuedUpTo: 1 }, 'x']]);
  });

  it('is handed an error with its name, code, message and place, and nothing that a driver hung on it', () => {
    const lines: { readonly err: Error }[] = [];
    const logger = resolveLogger({ error: (fields) => void lines.push(fields as { err: Error }) });
    const row = `Failing row contains (${REFRESH_TOKEN})`;
    const driverError = (message: string) =>
      Object.assign(new Error(message), {
        code: '23514',
        detail: row,
        sql: row,
        parameters: [REFRESH_TOKEN],
      });
    const errors = [
      driverError('refused'),
      new AuthError('unavailable', 'refused', { cause: driverError('refused') }),
      new Error('refused', {
        cause: new AggregateError([new Error('x', { cause: driverError('refused') })]),
      }),
      driverError(`Duplicate entry '${REFRESH_TOKEN}' for key 'token_hash'`),
      driverError(`refused ${REFRESH_TOKEN}`),
      `refused ${REFRESH_TOKEN}`,
      Object.assign(new Error('x'), { name: REFRESH_TOKEN, code: REFRESH_TOKEN }),
      Object.assign(new Error('x'), { stack: `x\n    at ${REFRESH_TOKEN}:1:1` }),
      new Proxy(
        {},
        {
          get: () => {
            throw driverError('refused');
          },
        },
      ),
    ];
    for (const err of errors) logger.error({ err }, 'x');
    expect(lines).toHaveLength(errors.length);
    expect(lines[0]?.err).toBeInstanceOf(Error);
    expect(lines[0]?.err).toMatchObject({ name: 'Error', message: 'refused', code: '23514' });
    expect(lines[0]?.err.stack).toMatch(/^Error: refused\n +at driverError .*logger\.test/);
    expect(lines[1]?.err).toMatchObject({ name: 'AuthError', cause: { code: '23514' } });
    const told = inspect(lines, { depth: 20, showHidden: true, maxStringLength: null });
    // Not `toContain`, which prints all of it.
    expect(told.includes(REFRESH_TOKEN), 'the token is told').toBe(false);
  });

  it('that throws disturbs nobody', () => {
    expect(() => resolveLogger(failing).error({}, 'x')).not.toThrow();
  });

  it('that throws keeps no revocation from taking effect, nor a listener from failing quietly', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const auth = createAuth({ signingKey: KEY, logger: failing });
      auth.revocations.onRevoke(() => {
        throw new Error('in the listener');
      });
      const token = await auth.issueAccessToken('1', [], { sessionId: 's' });
      auth.revocations.revokeSession('s');
      await expect(auth.validateAccessToken(token)).rejects.toMatchObject({ reason: 'revoked' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('that rejects disturbs nobody', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const reject = () => Promise.reject(new Error('the disk is full'));
      const logger = resolveLogger({ error: reject, debug: reject });
      logger.error({}, 'x');
      logger.debug?.({}, 'x');
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it.each([null, undefined, {}, { error: 'x' }, { error: () => {}, debug: 'x' }, () => {}])(
    'cannot be %j',
    (logger) => {
      expect(() => resolveLogger(logger as Logger)).toThrow(TypeError);
    },
  );
});
