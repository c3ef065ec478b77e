import { describe, expect, it } from 'vitest';
import { createClaimsInFlight } from '../../src/delivery/claims-in-flight.ts';

describe('claims in flight', () => {
  it('keep the token of the last claim of each delivery, and tell a claim of one that is open', () => {
    const claims = createClaimsInFlight();
    expect([claims.add(1, 'a'), claims.add(2, 'a'), claims.add(1, 'b')]).toEqual([true, true, false]);
    expect([claims.count(), claims.tokenOf(1), claims.tokenOf(2)]).toEqual([2, 'b', 'a']);
    claims.remove(1);
    expect([claims.count(), claims.tokenOf(1)]).toEqual([1, undefined]);
    expect(claims.add(1, 'c')).toBe(true);
  });

  it('are waited for until none is open, also one that opens as the last one closes', async () => {
    const claims = createClaimsInFlight();
    await claims.none();
    claims.add(1, 'a');
    let settled = 0;
    const waits = [claims.none(), claims.none()].map((wait) => wait.then(() => settled++));
    claims.remove(1);
    claims.add(2, 'b');
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(0);
    claims.remove(2);
    await Promise.all(waits);
    expect(settled).toBe(2);
  });
});
