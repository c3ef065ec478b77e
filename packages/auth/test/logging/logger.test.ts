import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { type Logger, resolveLogger } from '../../src/logging/logger.ts';
import { KEY } from '../tokens/forge-token.ts';

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

  it('is handed debug lines on itself', () => {
    const logger = {
      lines: [] as string[],
      error: () => {},
      debug(_: object, message: string) {
        this.lines.push(message);
      },
    };
    resolveLogger(logger).debug?.({}, 'x');
    expect(logger.lines).toEqual(['x']);
  });

  it.each([null, undefined, {}, { error: 'x' }, { error: () => {}, debug: 'x' }, () => {}])(
    'cannot be %j',
    (logger) => {
      expect(() => resolveLogger(logger as Logger)).toThrow(TypeError);
    },
  );
});
