import { expect, it } from 'vitest';
import { proveOutage } from '../../prove/outage.ts';

// The short form of `npm run prove -- outage`.
it('recovers by itself from a night in which a recipient was away', async () => {
  expect(await proveOutage(8)).toMatchObject({
    events: 193,
    lost: 0,
    duplicates: 0,
    inOrder: true,
    poisonReopened: 0,
    holds: true,
  });
});
