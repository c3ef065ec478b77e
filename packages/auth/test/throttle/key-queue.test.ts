import { expect, it } from 'vitest';
import { createKeyQueue } from '../../src/throttle/key-queue.ts';

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

it('runs the work of a key in the order of the calls, and that of other keys meanwhile', async () => {
  const queue = createKeyQueue();
  const begun: string[] = [];
  const [first, second, other] = [held('first', begun), held('second', begun), held('other', begun)];
  const results = [queue.run('a', first.work), queue.run('a', second.work), queue.run('b', other.work)];
  await settled();
  expect(begun).toEqual(['first', 'other']);
  first.finish();
  await settled();
  expect(begun).toEqual(['first', 'other', 'second']);
  second.finish();
  other.finish();
  expect(await Promise.all(results)).toEqual(['first', 'second', 'other']);
});

it('goes on after work that fails, with the call that has waited longest before one that comes then', async () => {
  const queue = createKeyQueue();
  const begun: string[] = [];
  const [first, second, third] = [held('first', begun), held('second', begun), held('third', begun)];
  const failing = queue.run('a', first.work);
  const waiting = queue.run('a', second.work);
  const late = failing.catch(() => queue.run('a', third.work));
  first.finish(new Error('failed'));
  await settled();
  expect(begun).toEqual(['first', 'second']);
  second.finish();
  third.finish();
  expect([await waiting, await late]).toEqual(['second', 'third']);
  expect(await queue.run('a', async () => 'again')).toBe('again');
});
