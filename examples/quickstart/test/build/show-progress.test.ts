import { beforeEach, describe, expect, it, vi } from 'vitest';
import { showProgress } from '../../src/build/show-progress.ts';

const CLEAR_LINE = '\r\u001b[2K';

describe('showProgress', () => {
  beforeEach(() => vi.useFakeTimers());

  it('prints plain lines where there is no terminal, one every 10 s', () => {
    const written: string[] = [];
    const end = showProgress({ write: (text) => written.push(text) }, 'Building it');
    vi.advanceTimersByTime(25_000);
    end('Built in 25 s.');
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([
      'Building it. This usually takes 20 to 50 s.\n',
      'Still building after 10 s.\n',
      'Still building after 20 s.\n',
      'Built in 25 s.\n',
    ]);
  });

  it('keeps one line of a terminal moving, and leaves only the result', () => {
    const written: string[] = [];
    const end = showProgress({ isTTY: true, write: (text) => written.push(text) }, 'Building it');
    vi.advanceTimersByTime(3_000);
    end('Built in 3 s.');
    expect(written).toHaveLength(17);
    expect(written.every((text) => text.startsWith(CLEAR_LINE))).toBe(true);
    expect(new Set(written).size).toBe(17);
    expect(written.filter((text) => text.includes('\n'))).toEqual([`${CLEAR_LINE}Built in 3 s.\n`]);
  });
});
