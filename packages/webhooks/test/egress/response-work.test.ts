import { describe, expect, it, vi } from 'vitest';
import { readRetryAfter } from '../../../toolkit/src/retry-after.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { MAX_INTERIM_RESPONSES, ResponseParser } from '../../src/egress/response-parser.ts';
import { ResponseReader } from '../../src/egress/response-reader.ts';

const [SHORT, LONG] = [2_000, 16_000];
/** Eight times the input takes eight times as long, or 64 where each character costs a scan. */
const MAX_RATIO = 24;
const RUNS = 7;

/** The shortest of some runs: whatever else the machine does only adds to the others. */
function shortestMs(work: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

function read(head: string): void {
  new ResponseReader(
    () => {},
    () => {},
  ).push(Buffer.from(`${head}\r\n\r\n`, 'latin1'));
}

const OK = 'HTTP/1.1 200 OK\r\n';
const filled = (text: string, length: number): string => text.repeat(length / text.length);

describe('the work for a head grows no faster than its length', () => {
  inOneTest<[string, (length: number) => string]>([
    ['spaces within a value', (n) => `${OK}X-A: a${filled(' ', n)}a`],
    ['spaces around a value', (n) => `${OK}X-A: ${filled(' ', n / 2)}a${filled(' ', n / 2)}`],
    ['spaces within a length', (n) => `${OK}Content-Length: 1${filled(' ', n)}1`],
    ['commas in a length', (n) => `${OK}Content-Length: 1${filled(' ,', n)}1`],
    ['spaces in a status line', (n) => `HTTP/1.1${filled(' ', n)}x`],
    ['codings', (n) => `${OK}Transfer-Encoding: ${filled(', chunked ', n)}x`],
    ['spaces in codings', (n) => `${OK}Transfer-Encoding: a,${filled(' ', n)}chunked${filled(' ', 9)}x`],
    ['options of a connection', (n) => `${OK}Connection: a,${filled(' ', n)}close${filled(' ', 9)}x`],
    ['a time to idle', (n) => `${OK}Keep-Alive: ${filled('timeout=', n)}`],
    ['folded lines', (n) => `${OK}Server: a\r\n${filled(' a \r\n', n)}X: a`],
    ['a location encoded again and again', (n) => `${OK}Location: /%${filled('25', n)}`],
    ['a location of encoded characters', (n) => `${OK}Location: /${filled('%25', n)}`],
    ['a location of parameters', (n) => `${OK}Location: /${filled(';a', n)}`],
  ])('%s', (_, headOf) => {
    const [short, long] = [SHORT, LONG].map((length) => {
      const head = headOf(length);
      return shortestMs(() => read(head));
    });
    expect(Number(long) / Number(short)).toBeLessThan(MAX_RATIO);
  });

  inOneTest([' ', '9'])('a Retry-After with many of %j', (text) => {
    const [short, long] = [SHORT, LONG].map((length) => {
      const value = `Sun${filled(text, length)}x`;
      return shortestMs(() => readRetryAfter(value, value, 0, 1));
    });
    expect(Number(long) / Number(short)).toBeLessThan(MAX_RATIO);
  });
});

describe('interim responses', () => {
  it('of which more come at once than are taken are read no further', () => {
    const onInvalid = vi.fn();
    const nothing = (): void => {};
    const parser = new ResponseParser({ onHead: nothing, onBody: nothing, onEnd: nothing, onInvalid });
    const flood = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(MAX_INTERIM_RESPONSES + 1);
    parser.push(Buffer.from(`${flood}HTTP/1.1 099 None\r\n\r\n`));
    expect(onInvalid.mock.calls).toEqual([['response_too_large']]);
  });
});
