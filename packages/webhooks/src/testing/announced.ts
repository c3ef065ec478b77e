import assert from 'node:assert/strict';

/** Something that may be given beside what is under test, and the option that says so. */
export interface Offer {
  readonly member: string;
  readonly given: unknown;
  readonly option: string;
  readonly isSet: boolean;
}

/** A contract leaves out the cases for what no option announces: what is given all the same would go unproved. */
export function assertAnnounced(offers: readonly Offer[]): void {
  for (const { member, given, option, isSet } of offers) {
    const isGiven = given !== undefined;
    const found = isGiven
      ? `${member} is given, and ${option} is not set`
      : `${option} is set, and no ${member} is given`;
    assert.equal(isGiven, isSet, found);
  }
}
