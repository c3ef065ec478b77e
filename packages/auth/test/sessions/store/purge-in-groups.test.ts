import { describe, expect, test } from 'vitest';
import { purgeInGroups } from '../../../src/sessions/store/purge-in-groups.ts';

/** That many rows, and the sizes of the groups that were asked for. */
function fixture(count: number, removedByOthers = 0) {
  const asked: number[] = [];
  let left = count;
  const removeGroup = async (wanted: number) => {
    asked.push(wanted);
    const found = Math.min(wanted, left);
    left -= found;
    return { found, removed: found * (1 - removedByOthers) };
  };
  return { asked, removeGroup };
}

describe('a purge in groups', () => {
  test('removes at most 500 rows at a time, until none is left', async () => {
    const { asked, removeGroup } = fixture(1_100);
    expect(await purgeInGroups(5_000, 500, removeGroup)).toBe(1_100);
    expect(asked).toEqual([500, 500, 500]);
  });

  test('ends at its limit', async () => {
    const { asked, removeGroup } = fixture(1_100);
    expect(await purgeInGroups(600, 500, removeGroup)).toBe(600);
    expect(asked).toEqual([500, 100]);
  });

  test('does not count what another process has removed, and goes on', async () => {
    const { asked, removeGroup } = fixture(600, 0.5);
    expect(await purgeInGroups(550, 500, removeGroup)).toBe(300);
    expect(asked).toEqual([500, 300]);
  });
});
