import { describe, expect } from 'vitest';
import { isLocalPath } from '../src/local-path.ts';
import { inOneTest } from './in-one-test.ts';
import { words } from './words.ts';

const PAGE = 'https://app.example/log-in';

describe('isLocalPath', () => {
  inOneTest([
    ...words(`
      / /admin/webhooks /admin/webhooks/7?tab=deliveries#last /a?next=//elsewhere.example
      /a?next=%2F%2Felsewhere.example /a#//elsewhere.example /%41 /ünïcode
    `),
    `/${'a'.repeat(2_047)}`,
  ])('is true for %j, which a browser resolves to its own origin', (path) => {
    expect(isLocalPath(path)).toBe(true);
    expect(new URL(path, PAGE).origin).toBe('https://app.example');
  });

  inOneTest([
    ['another origin', 'https://elsewhere.example/'],
    ['another origin of the same scheme', '//elsewhere.example'],
    ['two slashes further on', '/a//b'],
    ['three slashes', '///elsewhere.example'],
    ['backslashes, which are slashes in a URL', '/\\elsewhere.example'],
    ['a backslash in a query', '/a?b=\\'],
    ['a tab, which a browser removes', '/\t/elsewhere.example'],
    ['a line feed, which a browser removes', '/\n/elsewhere.example'],
    ['an encoded second slash', '/%2Felsewhere.example'],
    ['two encoded slashes', '/a%2f%2Fb'],
    ['an encoded backslash', '/%5celsewhere.example'],
    ['an encoded tab', '/%09/elsewhere.example'],
    ['an encoded zero', '/a%00'],
    ['an encoded delete character', '/a%7Fb'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'admin'],
    ['a space before the slash', ' /admin'],
    ['an empty text', ''],
    ['a path that is too long', `/${'a'.repeat(2_048)}`],
  ])('is false for %s', (_, path) => {
    expect(isLocalPath(path)).toBe(false);
  });

  inOneTest([undefined, null, 7, ['/'], new String('/')])('is false for %j, which is no text', (value) => {
    expect(isLocalPath(value)).toBe(false);
  });
});
