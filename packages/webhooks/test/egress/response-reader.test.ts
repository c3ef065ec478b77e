import { describe, expect, it, vi } from 'vitest';
import { type Ending, MAX_READ_BODY_BYTES, ResponseReader } from '../../src/egress/response-reader.ts';
import type { SendDetail, SendFailure, SendFailureCode } from '../../src/egress/send-result.ts';

const IDLE_MS = 4000;

/** A reader, how often its status has arrived, and how it ended. */
function harness() {
  const onStatus = vi.fn();
  const endings: Ending[] = [];
  const reader = new ResponseReader(onStatus, (ending) => endings.push(ending));
  return {
    reader,
    onStatus,
    endings,
    status: (code: number, headers: Record<string, string[]> = {}) => reader.onHead(code, headers),
    data: (chunk: string) => reader.onBody(Buffer.from(chunk)),
    end: () => reader.onEnd(IDLE_MS),
  };
}

const response = (statusCode: number, body = '') => ({ kind: 'response', statusCode, body });
const failure = (code: SendFailureCode, detail?: SendDetail): SendFailure => ({
  kind: 'failure',
  code,
  ...(detail && { detail }),
});

describe('a response', () => {
  it('is not read beyond 64 KiB, of which it keeps 4 KiB', () => {
    const { status, data, end, endings } = harness();
    status(200);
    data('a'.repeat(5_000));
    data('b'.repeat(MAX_READ_BODY_BYTES - 5_000));
    expect(endings).toEqual([]);
    data('c');
    end();
    const result = { ...response(200, 'a'.repeat(4096)), detail: 'response_too_large' };
    expect(endings).toEqual([{ idleMs: 0, result }]);
  });

  it('in HTTP/2 is recognised wherever its first frame is split', () => {
    const settings = Buffer.from('\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\xff\xff', 'latin1');
    for (let at = 1; at < settings.length; at += 1) {
      const { reader, endings } = harness();
      reader.push(settings.subarray(0, at));
      reader.push(settings.subarray(at));
      expect(endings).toEqual([{ idleMs: 0, result: failure('invalid_response', 'only_http2') }]);
    }
    const other = harness();
    other.reader.push(Buffer.from('\0\0\x06\x05'));
    expect(other.endings).toMatchObject([{ result: failure('invalid_response', 'not_http') }]);
  });

  it('ends once: what comes after its end changes nothing', () => {
    const { reader, status, data, end, endings, onStatus } = harness();
    status(200);
    reader.cut(failure('timeout'));
    expect(endings).toHaveLength(1);
    status(500);
    data('late');
    end();
    reader.fail(new Error('late'));
    reader.cut(failure('closed'));
    reader.push(Buffer.from('late'));
    expect([endings.length, onStatus.mock.calls.length]).toEqual([1, 1]);
  });
});

describe('a request that breaks off', () => {
  it('has no result where it ends without a status', () => {
    const { end, endings } = harness();
    end();
    expect(endings).toEqual([]);
  });
});
