import { describe, expect, it } from 'vitest';
import type { AttemptErrorCode } from '../../src/delivery/outcome.ts';
import type { SendFailureCode } from '../../src/egress/send-result.ts';
import { ApiError } from '../../src/panel/app/api/api-error.ts';
import { refreshDelay } from '../../src/panel/app/api/refresh-delay.ts';
import { failureMessage } from '../../src/panel/app/messages/failure-message.ts';
import { fieldMessage } from '../../src/panel/app/messages/problem-message.ts';

/** Every code there is: a new one does not compile until it stands here. */
const CODES: Readonly<Record<Exclude<AttemptErrorCode, `http_${number}`> | SendFailureCode, true>> = {
  url_not_public: true,
  blocked_address: true,
  dns_error: true,
  connection_refused: true,
  connection_reset: true,
  unreachable: true,
  tls_error: true,
  timeout: true,
  invalid_response: true,
  network_error: true,
  aborted: true,
  closed: true,
  internal_error: true,
  webhook_inactive: true,
  worker_lost: true,
  expired: true,
};

describe('the words for a failure', () => {
  it.each(Object.keys(CODES))('say what %s means and what to do', (code) => {
    const { title, advice } = failureMessage(code);
    expect(title).not.toContain('_');
    expect(advice.length).toBeGreaterThan(20);
    expect(advice).not.toBe(failureMessage('a_code_of_a_later_version').advice);
  });

  it.each([301, 308, 400, 401, 403, 404, 405, 408, 410, 413, 415, 418, 422, 429, 500, 503])(
    'say what http_%i means',
    (status) => {
      const { title, advice } = failureMessage(`http_${status}`);
      expect(title).toContain(String(status));
      expect(advice).not.toBe('');
    },
  );

  it('show a code of a later version as it is', () => {
    expect(failureMessage('new_code').title).toBe('new_code');
    expect(failureMessage('constructor').title).toBe('constructor');
  });
});

describe('a history', () => {
  const now = Date.parse('2026-11-20T04:10:00.000Z');
  const pending = (ms: number) => ({
    status: 'pending' as const,
    next_attempt_at: new Date(now + ms).toISOString(),
  });
  const ended = { status: 'failed' as const, next_attempt_at: null };

  it('is left alone once everything has ended', () => {
    expect(refreshDelay([], now)).toBe(false);
    expect(refreshDelay([ended], now)).toBe(false);
  });

  it('is looked at again when the next attempt is due, neither at once nor much later', () => {
    expect(refreshDelay([ended, pending(-60_000)], now)).toBe(2_000);
    expect(refreshDelay([pending(3_000_000), pending(9_000)], now)).toBe(9_000);
    expect(refreshDelay([pending(3_000_000)], now)).toBe(30_000);
    expect(refreshDelay([{ status: 'pending', next_attempt_at: null }], now)).toBe(2_000);
  });
});

describe('the words for a refused URL', () => {
  const refused = (message: string) =>
    new ApiError(422, 'url_not_public', message, [{ field: 'url', code: 'url_not_public', message }]);

  it('say what a public address is where that is the reason', () => {
    expect(fieldMessage(refused('The host does not lead to a public address.'), 'url')).toContain(
      'reachable from the internet',
    );
  });

  it.each([
    'The URL must not carry a user name or password.',
    'Port 25 is not allowed: use 80, 443 or a port above 1023.',
  ])('are those of the server where the reason is another: %s', (message) => {
    expect(fieldMessage(refused(message), 'url')).toBe(message);
  });
});
