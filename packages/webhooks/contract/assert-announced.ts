import assert from 'node:assert/strict';

/** An optional member of what is under test, and the option that announces it. */
export interface Offer {
  readonly member: string;
  readonly given: unknown;
  readonly option: string;
  readonly isSet: boolean;
}

/**
 * A contract leaves out the cases for members that no option announces: a member given without its
 * option would go unproved.
 */
export function assertAnnounced(offers: readonly Offer[]): void {
  for (const { member, given, option, isSet } of offers) {
    const isGiven = given !== undefined;
    const found = isGiven
      ? `${member} is given, and ${option} is not set`
      : `${option} is set, and no ${member} is given`;
    assert.equal(isGiven, isSet, found);
  }
}
