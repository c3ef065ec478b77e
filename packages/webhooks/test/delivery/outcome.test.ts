import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { callbackBody } from '../../src/delivery/attempt.ts';
import { outcomeOf } from '../../src/delivery/outcome.ts';

describe('the outcome of an attempt', () => {
  inOneTest([200, 201, 204, 299])('is a success at %d', (statusCode) => {
    const outcome = outcomeOf({ kind: 'response', statusCode, body: 'ok' }, 0);
    expect(outcome).toEqual({ isSuccess: true, statusCode, responseBody: 'ok', error: '' });
    // Whatever its body did.
    const cut = { kind: 'response', statusCode, body: '', detail: 'incomplete_body' } as const;
    expect(outcomeOf(cut, 0)).toMatchObject({ isSuccess: true, error: '' });
  });

  inOneTest([199, 300, 301, 302, 304, 307, 308, 400, 404, 410, 429, 500, 503])(
    'is a failure at %d',
    (statusCode) => {
      const outcome = outcomeOf({ kind: 'response', statusCode, body: '' }, 0);
      expect(outcome).toMatchObject({ isSuccess: false, statusCode, error: `http_${statusCode}` });
    },
  );

  inOneTest([
    [429, 30_000],
    [503, 30_000],
    [500, undefined],
    [301, undefined],
  ])('at %d honours Retry-After by %s ms', (statusCode, expected) => {
    const outcome = outcomeOf({ kind: 'response', statusCode, body: '', retryAfter: '30' }, 0);
    expect(outcome.retryAfterMs).toBe(expected);
  });

  it("counts a date from the answer's own, whatever the clock here says", () => {
    const retryAfter = 'Thu, 26 Nov 2026 12:00:30 GMT';
    const answer = { kind: 'response', statusCode: 503, body: '', retryAfter } as const;
    const now = Date.parse('2026-11-26T11:00:00Z');
    expect(outcomeOf({ ...answer, date: 'Thu, 26 Nov 2026 12:00:00 GMT' }, now).retryAfterMs).toBe(30_000);
    expect(outcomeOf(answer, now).retryAfterMs).toBe(3_600_000);
  });

  it('carries the code of a failure to which nothing came back', () => {
    expect(outcomeOf({ kind: 'failure', code: 'timeout' }, 0)).toEqual({
      isSuccess: false,
      statusCode: 0,
      responseBody: '',
      error: 'timeout',
    });
  });
});

describe('the body of a callback', () => {
  it('holds the event, the time of creation and the stored payload text, byte for byte', () => {
    const payload = '{"b":1,"a":"ü\\u2028","n":1.0}';
    const body = callbackBody({ event: 'order.created', createdAt: '2026-11-20T04:10:00.123Z', payload });
    expect(body).toBe(`{"type":"order.created","timestamp":"2026-11-20T04:10:00.123Z","data":${payload}}`);
    expect(JSON.parse(body)).toEqual({
      type: 'order.created',
      timestamp: '2026-11-20T04:10:00.123Z',
      data: { b: 1, a: 'ü\u2028', n: 1 },
    });
  });
});
