import { expect, it } from 'vitest';
import { createTurns } from '../../src/throttle/turns.ts';

/** Work that ends when it is told to. */
function held(name: string, log: string[]) {
  let finish = (_error?: Error) => {};
  const end = new Promise<void>((resolve, reject) => {
    finish = (error) => (error === undefined ? resolve() : reject(error));
  });
  const work = async () => {
    log.push(name);
    await end;
    return name;
  };
  return { work, finish: (error?: Error) => finish(error) };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it('does the work of a key in the order of the calls, and that of other keys meanwhile', async () => {
  const turns = createTurns();
  const begun: string[] = [];
  const [first, second, other] = [held('first', begun), held('second', begun), held('other', begun)];
  const results = [turns.take('a', first.work), turns.take('a', second.work), turns.take('b', other.work)];
  await settled();
  expect(begun).toEqual(['first', 'other']);
  first.finish();
  await settled();
  expect(begun).toEqual(['first', 'other', 'second']);
  second.finish();
  other.finish();
  expect(await Promise.all(results)).toEqual(['first', 'second', 'other']);
});

it('hands a turn over after work that fails, and past a call that comes at that moment', async () => {
  const turns = createTurns();
  const begun: string[] = [];
  const [first, second, third] = [held('first', begun), held('second', begun), held('third', begun)];
  const failing = turns.take('a', first.work);
  const waiting = turns.take('a', second.work);
  const late = failing.catch(() => turns.take('a', third.work));
  first.finish(new Error('failed'));
  await settled();
  expect(begun).toEqual(['first', 'second']);
  second.finish();
  third.finish();
  expect([await waiting, await late]).toEqual(['second', 'third']);
  expect(await turns.take('a', async () => 'again')).toBe('again');
});
