import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/processes/settings.ts';
import { StartError } from '../../src/processes/start-error.ts';

describe('readSettings', () => {
  it('has a default for each setting that needs one', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      recipientPort: 3001,
      recipientUrl: undefined,
      databaseFile: undefined,
      signingKey: undefined,
      retry: { delaysMs: [2_000, 4_000, 8_000, 15_000, 30_000], maxAttempts: 20 },
      hasWorker: false,
      sweepIntervalMs: undefined,
    });
  });

  it('takes a relative database file from the folder in which npm was called', () => {
    expect(readSettings({ DATABASE_FILE: 'demo.db', INIT_CWD: '/somewhere' }).databaseFile).toBe(
      '/somewhere/demo.db',
    );
  });

  it.each([
    [{ PORT: '65536' }, 'PORT must be a port from 0 to 65535, not "65536".'],
    [{ RECIPIENT_PORT: '-1' }, 'RECIPIENT_PORT must be a port from 0 to 65535, not "-1".'],
    [{ RETRY_DELAYS_MS: '1,zwei' }, 'RETRY_DELAYS_MS must be up to three whole numbers'],
    [{ RETRY_DELAYS_MS: '99999999999999' }, 'RETRY_DELAYS_MS must be up to three whole numbers'],
    [{ RETRY_DELAYS_MS: '1,2,3,4' }, 'RETRY_DELAYS_MS must be up to three whole numbers'],
  ])('names the variable that cannot be used: %j', (env, message) => {
    expect(() => readSettings(env)).toThrow(StartError);
    expect(() => readSettings(env)).toThrow(message);
  });
});
