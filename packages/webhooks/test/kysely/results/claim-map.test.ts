import { expect, test } from 'vitest';
import { createClaimMap } from '../../../src/kysely/results/claim-map.ts';

test('a claim map tells the claims of one delivery apart, and the deliveries of one claim', () => {
  const values = createClaimMap<string>();
  values.set({ id: 1, claimToken: 'a' }, '1a');
  values.set({ id: 2, claimToken: 'a' }, '2a');
  values.set({ id: 1, claimToken: 'b' }, '1b');
  values.set({ id: 2, claimToken: 'a' }, 'later');
  expect(values.get({ id: 1, claimToken: 'a' })).toBe('1a');
  expect(values.get({ id: 2, claimToken: 'a' })).toBe('later');
  expect(values.get({ id: 1, claimToken: 'b' })).toBe('1b');
  expect(values.get({ id: 2, claimToken: 'b' })).toBeUndefined();
  expect(values.get({ id: 1, claimToken: 'c' })).toBeUndefined();
});
