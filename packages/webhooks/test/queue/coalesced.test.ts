import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { coalesced } from '../../src/queue/coalesced.ts';

test('a run serves every request made before it begins, and one made during it has another', async () => {
  let runs = 0;
  const ask = coalesced(async () => {
    runs += 1;
    await new Promise(setImmediate);
  });
  const first = ask();
  await Promise.all([ask(), ask(), ask(), first]);
  expect(runs).toBe(2);
});

test('a run belongs to the asynchronous context of no request', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const ask = coalesced(async () => {
    seen.push(request.getStore());
    await new Promise(setImmediate);
  });
  await Promise.all(['a', 'b', 'c'].map((name) => request.run(name, ask)));
  expect(seen).toEqual([undefined, undefined]);
});
