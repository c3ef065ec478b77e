import { describe, expect, it } from 'vitest';
import { isTenant } from '../../src/events/tenant.ts';

describe('isTenant', () => {
  it.each(['a', 'acme', 'Acme Inc.', '0', 'null', 'ñandú', '会社', 'x'.repeat(64)])('takes %j', (tenant) => {
    expect(isTenant(tenant)).toBe(true);
  });

  it.each([
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
