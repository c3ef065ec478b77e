import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import type { AttemptErrorCode } from '../../../../src/delivery/outcome.ts';
import { detailText } from '../../../../src/panel/app/delivery/answer-detail-text.ts';
import { failureMessage } from '../../../../src/panel/app/messages/failure-message.ts';
import { SEND_DETAILS, SEND_FAILURE_CODES } from '../../../egress/failure-codes.ts';

/** Every code there is: a new one does not compile until it stands here. */
const CODES: Readonly<Record<Exclude<AttemptErrorCode, `http_${number}`>, true>> = {
  ...SEND_FAILURE_CODES,
  deferred: true,
  busy: true,
  internal_error: true,
  webhook_inactive: true,
  worker_lost: true,
  expired: true,
};

describe('the message for a failure', () => {
  inOneTest(Object.keys(CODES))('says what %s means and what to do', (code) => {
    const { title, advice } = failureMessage(code);
    expect(title).not.toContain('_');
    expect(advice.length).toBeGreaterThan(20);
    expect(advice).not.toBe(failureMessage('a_code_of_a_later_version').advice);
  });

  inOneTest([301, 308, 400, 401, 403, 404, 405, 408, 410, 413, 415, 418, 422, 429, 500, 503])(
    'says what http_%i means',
    (status) => {
      const { title, advice } = failureMessage(`http_${status}`);
      expect(title).toContain(String(status));
      expect(advice).not.toBe('');
    },
  );

  it('advises on http_429 what fits a delivery that is still pending, too', () => {
    expect(failureMessage('http_429').advice).not.toContain('send this delivery again');
  });

  it('shows a code of a later version as it is', () => {
    expect(failureMessage('new_code').title).toBe('new_code');
    expect(failureMessage('constructor').title).toBe('constructor');
  });
});

describe('the sentence for a detail', () => {
  inOneTest(Object.keys(SEND_DETAILS))('says what %s means', (detail) => {
    expect(detailText(detail)).toMatch(/^[A-Z][^_]+\.$/);
  });

  it('is a detail of a later version as it is', () => {
    expect(detailText('new_detail')).toBe('new_detail');
    expect(detailText('constructor')).toBe('constructor');
  });
});
