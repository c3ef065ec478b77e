import { describe, expect, it } from 'vitest';
import { countedName } from '../../src/throttle/counted-name.ts';

describe('the name that is counted', () => {
  it.each([
    ['ada', 'ADA'],
    ['ada', 'a\u0301da'],
    ['ada', '\u00E1da'],
    ['ada', 'ada\u0363'],
    ['ada', 'ada\u0364\u0365\u036F'],
    ['ada', '\uFF41\uFF44\uFF41'],
    ['straße', 'STRASSE'],
    ['straße', 'straẞe'],
    ['ada', ' ada '],
    ['ada', 'ad\u200Ba'],
    ['ada', 'a\u00ADd\uFE0Fa\u3164'],
    ['ıİſ', 'iis'],
    ['ΝΊΚΟΣ', 'νικος'],
    ['x'.repeat(128), 'x'.repeat(256)],
  ])('is one for %j and %j', (one, other) => {
    expect(countedName(other)).toBe(countedName(one));
  });

  it.each([
    ['ada', 'adb'],
    ['ada', 'ada1'],
    ['ada@example.com', 'ada+x@example.com'],
    ['ада', 'ада1'],
  ])('differs for %j and %j', (one, other) => {
    expect(countedName(other)).not.toBe(countedName(one));
  });

  it.each(['\uFDFA', '\u0301', 'a\u0315\u0300\u05AE', 'ß\u{1D163}'])(
    'is short, and costs no more for a name of megabytes than for one of 4,096 characters: %j',
    (text) => {
      const [long, short] = [2_000_000, 4_096].map((length) => text.repeat(length / text.length));
      expect(countedName(`${long}`).length).toBeLessThanOrEqual(128);
      // In turns, so that whatever else the machine does slows both. Read whole, one costs 500 times the other.
      const times = Array.from({ length: 51 }, () => [timeOf(`${long}`), timeOf(`${short}`)] as const);
      const [longer, shorter] = [0, 1].map((which) => medianOf(times.map((pair) => Number(pair[which]))));
      expect(Number(longer) / Number(shorter)).toBeLessThan(20);
    },
  );
});

function timeOf(name: string): number {
  const begun = performance.now();
  for (let n = 0; n < 10; n++) countedName(name);
  return performance.now() - begun;
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}
