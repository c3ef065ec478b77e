import { expect, it } from 'vitest';
import { RECIPIENT_MODES } from '../../src/demo/recipient-modes.ts';
import { readAnswer } from '../../src/recipient/answers.ts';

it('reads a status with its waits, and 0 for hanging up', () => {
  expect(readAnswer({ status: 503, retry_after_seconds: 2, delay_seconds: 4 })).toEqual({
    status: 503,
    retryAfterSeconds: 2,
    delaySeconds: 4,
  });
  expect(readAnswer({ status: 0 })?.status).toBe(0);
});

it.each([
  null,
  [],
  { status: '200' },
  { status: 100 },
  { status: 600 },
  { status: 200, delay_seconds: 61 },
  { status: 200, delay_seconds: -1 },
  { status: 200, retry_after_seconds: 3_601 },
])('refuses anything else: %j', (body) => {
  expect(readAnswer(body)).toBeUndefined();
});

it('takes the answer of every mode of the page', () => {
  for (const { answer } of RECIPIENT_MODES) {
    if (answer === undefined) continue;
    const body = { status: answer.status, delay_seconds: answer.delaySeconds };
    expect(readAnswer(body)).toMatchObject(answer);
  }
});
