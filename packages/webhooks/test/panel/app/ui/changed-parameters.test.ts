import { describe, expect, it } from 'vitest';
import { changedParameters } from '../../../../src/panel/app/ui/changed-parameters.ts';

describe('changedParameters', () => {
  it('sets, replaces and removes parameters, and keeps the others', () => {
    const previous = new URLSearchParams('status=failed&cursor=abc&explain=order.created');
    const next = changedParameters(previous, { status: 'success', cursor: '', edit: '7' });
    expect(next.toString()).toBe('status=success&explain=order.created&edit=7');
  });

  it('leaves the address of before as it was', () => {
    const previous = new URLSearchParams('cursor=abc');
    changedParameters(previous, { cursor: '' });
    expect(previous.toString()).toBe('cursor=abc');
  });
});
