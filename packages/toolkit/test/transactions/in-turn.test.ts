import { expect, test } from 'vitest';
import { inTurn } from '../../src/transactions/in-turn.ts';

test('runs a statement after the one before, also where that has failed', async () => {
  const connection = {};
  const begun: string[] = [];
  let fail: (error: Error) => void = () => {};
  const first = inTurn(connection, (sql) => {
    begun.push(sql);
    return new Promise((_resolve, reject) => {
      fail = reject;
    });
  });
  const second = inTurn(connection, async (sql) => {
    begun.push(sql);
    return [];
  });
  const outcomes = Promise.allSettled([first('a', []), second('b', [])]);
  await inTurn({}, async () => [])('of another connection', []);
  expect(begun).toEqual(['a']);
  fail(new Error('a fails'));
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(begun).toEqual(['a', 'b']);
});
