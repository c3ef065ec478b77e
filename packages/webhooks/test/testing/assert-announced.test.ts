import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { assertAnnounced } from '../../contract/assert-announced.ts';

const OFFER = { member: 'cutOff', given: undefined, option: 'hasOutages', isSet: false };
const GIVEN = { ...OFFER, given: async () => {}, isSet: true };

describe('assertAnnounced', () => {
  it('passes where each member is given with its option, or neither is there', () => {
    expect(() => assertAnnounced([OFFER, GIVEN])).not.toThrow();
    expect(() => assertAnnounced([])).not.toThrow();
  });

  it('fails where a member is given without its option', () => {
    expect(() => assertAnnounced([{ ...GIVEN, isSet: false }])).toThrow(
      'cutOff is given, and hasOutages is not set',
    );
  });

  it('fails where an option announces a member that is not given', () => {
    expect(() => assertAnnounced([{ ...OFFER, isSet: true }])).toThrow(
      'hasOutages is set, and no cutOff is given',
    );
  });

  it('takes null for a member that is given', () => {
    expect(() => assertAnnounced([{ ...OFFER, given: null }])).toThrow(/cutOff is given/);
  });

  it('looks at every offer, and fails as an assertion does', () => {
    expect(() => assertAnnounced([OFFER, GIVEN, { ...OFFER, isSet: true }])).toThrow(AssertionError);
  });
});
