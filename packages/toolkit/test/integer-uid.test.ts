import { expect } from 'vitest';
import { integerUid } from '../src/integer-uid.ts';
import { inOneTest } from './in-one-test.ts';

inOneTest<[string, number]>([
  ['7', 7],
  ['007', 7],
  ['-5', -5],
  [`${Number.MAX_SAFE_INTEGER}`, Number.MAX_SAFE_INTEGER],
  [`-${Number.MAX_SAFE_INTEGER}`, -Number.MAX_SAFE_INTEGER],
  ['9007199254740992', 0],
  ['0', 0],
  ['-0', 0],
  ['', 0],
  ['ada', 0],
  ['7a', 0],
  ['7.5', 0],
  ['1e3', 0],
  [' 7', 0],
  ['7\n', 0],
  ['+7', 0],
  ['0x10', 0],
  ['٧', 0],
])('the integer view of %j is %d', (uid, expected) => {
  expect(Object.is(integerUid(uid), expected)).toBe(true);
});
