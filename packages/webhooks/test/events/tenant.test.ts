import { describe, expect } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { isTenant } from '../../src/events/tenant.ts';

describe('isTenant', () => {
  inOneTest(['a', 'acme', 'Acme Inc.', '0', 'null', 'ñandú', '会社', 'x'.repeat(64)])(
    'takes %j',
    (tenant) => {
      expect(isTenant(tenant)).toBe(true);
    },
  );

  inOneTest([
    '',
    ' ',
    ' acme',
    'acme ',
    'acme\u00a0',
    'ac\nme',
    'ac\u0000me',
    'ac\u200bme',
    'ac\u00adme',
    'ac\u202eme',
    'ac\u2028me',
    '\ud83d',
    'x'.repeat(65),
    42,
    null,
    undefined,
    ['acme'],
    { toString: () => 'acme' },
  ])('refuses %j', (value) => {
    expect(isTenant(value)).toBe(false);
  });
});
