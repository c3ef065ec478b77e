import { expect, test } from 'vitest';
import { isPlainPath } from '../../src/node-web/plain-path.ts';
import { words } from '../words.ts';

/** The path as the URL parser reads the target, which may have an authority of its own. */
const parsed = (target: string) => new URL(target.startsWith('/') ? `http://o${target}` : target).pathname;

test.each(
  words(`
  / /a/b /a//b/ /a?x=/../b /%2f/%zz/% /..;/a http://o/a?x#y https://o_1.example.com:8080/a
  HTTP://127.0.0.1/a http://[::1]:80/a http://o http://o?x
`),
)('parsing leaves the path of %s as it is', (target) =>
  expect(isPlainPath(target, parsed(target))).toBe(true),
);

test.each([
  '/a/../b',
  '/a/%2e%2e/b',
  '/a/%2E./b',
  '/./b',
  '/a\\b',
  '/a#b',
  '/a b',
  '/ä',
  'http://o/a/../b',
  'http://o\\a',
  'http:/o/a',
  'http:o/a',
  'http:///o/a',
  'http://user@o/a',
  'ftp://o/a',
])('parsing rewrites %s, or another parser may read it differently', (target) =>
  expect(isPlainPath(target, parsed(target))).toBe(false),
);
