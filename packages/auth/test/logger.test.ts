import { describe, expect, it } from 'vitest';
import { createAuth } from '../src/auth.ts';
import { type Logger, resolveLogger } from '../src/logger.ts';
import { KEY } from './forge-token.ts';

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
    resolveLogger(logger).error({ err: 1 }, 'x');
    expect(logger.lines).toEqual([[{ err: 1 }, 'x']]);
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

  it.each([null, undefined, {}, { error: 'x' }, () => {}])('cannot be %j', (logger) => {
    expect(() => resolveLogger(logger as Logger)).toThrow(TypeError);
  });
});
