import assert, { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { withAdvice } from '../../src/contracts/with-advice.ts';

const promise = { name: 'counts $& up' };

/** What a case rejects with. */
function failureOf(run: () => Promise<void>): Promise<unknown> {
  return withAdvice(promise, () => 'Implement add().', run).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('withAdvice', () => {
  it('adds to a failed assertion which promise is broken and what to implement', async () => {
    const error = await failureOf(async () => assert.equal(1, 2, 'a count'));
    expect(error).toBeInstanceOf(AssertionError);
    const text = 'a count\n\nBroken promise: counts $& up.\nImplement add().';
    expect(error).toMatchObject({ message: text, actual: 1, expected: 2 });
    expect((error as Error).stack).toContain(text);
    expect((error as Error).stack).toContain('with-advice.test.ts');
  });

  it('passes on what it cannot add to', async () => {
    const frozen = Object.freeze(new Error('frozen'));
    expect(await failureOf(() => Promise.reject(frozen))).toBe(frozen);
    const aborted = AbortSignal.abort().reason;
    expect(await failureOf(() => Promise.reject(aborted))).toBe(aborted);
    expect(await failureOf(() => Promise.reject('text'))).toBe('text');
  });

  it('lets a case that holds pass', async () => {
    expect(await failureOf(async () => {})).toBeUndefined();
  });
});
