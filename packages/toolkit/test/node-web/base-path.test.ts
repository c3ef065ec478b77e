import { expect, test } from 'vitest';
import { answersFor } from '../../src/node-web/base-path.ts';

test.each(['/hooks', '/hooks/', '/hooks/1', '/hooks//1', '/hooks/%2e'])(
  'a handler at /hooks answers for %s',
  (path) => expect(answersFor('/hooks', path)).toBe(true),
);

test.each(['/', '', '/hooks2', '/Hooks', '/hook', '/x/hooks', '/%68ooks', '//hooks'])(
  'a handler at /hooks leaves %j to the host',
  (path) => expect(answersFor('/hooks', path)).toBe(false),
);

test('a handler without a base path answers for every path that routing read as it does', () => {
  expect(answersFor(undefined, '/any/where')).toBe(true);
  expect(answersFor(undefined, '')).toBe(true);
  expect(answersFor(undefined, undefined)).toBe(false);
  expect(answersFor('/hooks', undefined)).toBe(false);
});
