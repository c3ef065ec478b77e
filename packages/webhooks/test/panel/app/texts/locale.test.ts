import { expect } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { localeOf } from '../../../../src/panel/app/texts/locale.ts';

inOneTest([
  ['en', ['en-GB', 'en-US'], 'en-GB'],
  ['en', ['de-DE', 'en-GB'], 'en-GB'],
  ['en', ['de-DE', 'fr'], 'en'],
  ['de-CH', ['de-DE'], 'de-CH'],
  ['de', ['DE-at'], 'DE-at'],
  ['en', ['eng', 'enx-GB'], 'en'],
  ['en', ['en-US@posix', 'en-US'], 'en-US'],
  ['en', [], 'en'],
])('writes dates of texts in %s for a viewer who prefers %j as %s does', (texts, preferred, expected) => {
  expect(localeOf(texts, preferred)).toBe(expected);
});
