import { describe, expect, it } from 'vitest';
import { createMassRevocations } from '../../../src/sessions/revocation/mass-revocations.ts';

describe('createMassRevocations', () => {
  it('knows what came after a point, per user', () => {
    const revocations = createMassRevocations();
    const before = revocations.point();
    revocations.add('7');
    const after = revocations.point();
    expect(revocations.hasHappenedSince('7', before)).toBe(true);
    expect(revocations.hasHappenedSince('7', after)).toBe(false);
    expect(revocations.hasHappenedSince('42', before)).toBe(false);
  });

  it('rather takes everybody for overtaken than forgets one, when there are too many', () => {
    const revocations = createMassRevocations();
    const before = revocations.point();
    for (let n = 0; n < 10_000; n++) revocations.add(`${n}`);
    expect(revocations.hasHappenedSince('nobody', before)).toBe(false);
    const late = revocations.point();
    revocations.add('one more');
    expect(revocations.hasHappenedSince('0', before)).toBe(true);
    expect(revocations.hasHappenedSince('nobody', before)).toBe(true);
    expect(revocations.hasHappenedSince('nobody', late)).toBe(false);
    expect(revocations.hasHappenedSince('one more', late)).toBe(true);
  });
});
