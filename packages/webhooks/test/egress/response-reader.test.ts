import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import {
  type Ending,
  MAX_INTERIM_RESPONSES,
  MAX_READ_BODY_BYTES,
  ResponseReader,
} from '../../src/egress/response-reader.ts';
import { SendFailureError } from '../../src/egress/send-result.ts';

/** A reader, how often its status has arrived, how it ended, and the errors it aborted with. */
function harness() {
  const onStatus = vi.fn();
  const endings: Ending[] = [];
  const aborts: unknown[] = [];
  const reader = new ResponseReader(onStatus, (ending) => endings.push(ending));
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    pause: () => expect.fail('nothing is paused'),
    resume: () => expect.fail('nothing is resumed'),
    abort: (reason) => aborts.push(reason),
  };
  return {
    reader,
    onStatus,
    endings,
    aborts,
    start: () => reader.onRequestStart(controller),
    status: (code: number, headers: Record<string, string | string[]> = {}) =>
      reader.onResponseStart(controller, code, headers),
    data: (chunk: string) => reader.onResponseData(controller, Buffer.from(chunk)),
    end: () => reader.onResponseEnd(),
    fail: (error: Error) => reader.onResponseError(controller, error),
  };
}

const response = (statusCode: number, body = '') => ({ kind: 'response', statusCode, body });
const failure = (code: string) => ({ kind: 'failure', code });

describe('a response', () => {
  it('ends complete with its status and the text of its body', () => {
    const { status, data, end, onStatus, endings } = harness();
    status(200);
    expect(onStatus).toHaveBeenCalledOnce();
    data('hel');
    data('lo');
    expect(endings).toEqual([]);
    end();
    expect(endings).toEqual([{ kind: 'result', complete: true, result: response(200, 'hello') }]);
  });

  it.each([
    ['7', '7'],
    [['7', '9'], '7'],
    ['x'.repeat(200), 'x'.repeat(128)],
  ])('keeps the first Retry-After, at most 128 characters of it', (header, kept) => {
    const { status, end, endings } = harness();
    status(503, { 'retry-after': header });
    end();
    expect(endings).toMatchObject([{ result: { retryAfter: kept } }]);
  });

  it('is not read beyond 64 KiB, of which it keeps 4 KiB', () => {
    const { status, data, end, endings } = harness();
    status(200);
    data('a'.repeat(5_000));
    data('b'.repeat(MAX_READ_BODY_BYTES - 5_000));
    expect(endings).toEqual([]);
    data('c');
    end();
    expect(endings).toEqual([{ kind: 'result', complete: false, result: response(200, 'a'.repeat(4096)) }]);
  });

  it('may come after sixteen interim ones, which are no status, and not after more', () => {
    const { status, end, endings, onStatus } = harness();
    for (let n = 0; n < MAX_INTERIM_RESPONSES; n += 1) status(103);
    expect(onStatus).not.toHaveBeenCalled();
    status(204);
    end();
    expect(endings).toMatchObject([{ complete: true, result: response(204) }]);

    const flood = harness();
    for (let n = 0; n <= MAX_INTERIM_RESPONSES; n += 1) flood.status(100);
    expect(flood.endings).toEqual([{ kind: 'result', complete: false, result: failure('invalid_response') }]);
  });

  it.each([99, 101])('is invalid with the status %d', (code) => {
    const { status, endings, onStatus } = harness();
    status(code);
    expect(endings).toMatchObject([{ complete: false, result: failure('invalid_response') }]);
    expect(onStatus).not.toHaveBeenCalled();
  });

  it('ends once: what comes after its end changes nothing', () => {
    const { reader, status, data, end, fail, start, endings, aborts, onStatus } = harness();
    status(200);
    reader.cut('timeout');
    expect(endings).toHaveLength(1);
    status(500);
    data('late');
    end();
    fail(new Error('late'));
    reader.cut('closed');
    reader.refuse(new Error('late'));
    expect([endings.length, onStatus.mock.calls.length]).toEqual([1, 1]);
    start();
    expect(aborts).toMatchObject([{ failureCode: 'aborted' }]);
  });

  it('is not aborted when it starts before its end', () => {
    const { start, aborts } = harness();
    start();
    expect(aborts).toEqual([]);
  });
});

describe('a request that breaks off', () => {
  it('is a failure before the status, and the response so far after it', () => {
    const before = harness();
    before.reader.cut('timeout');
    expect(before.endings).toEqual([{ kind: 'result', complete: false, result: failure('timeout') }]);

    const after = harness();
    after.status(500);
    after.data('half');
    after.fail(new SendFailureError('closed'));
    expect(after.endings).toEqual([{ kind: 'result', complete: false, result: response(500, 'half') }]);
  });

  it('says why it failed', () => {
    const { fail, endings } = harness();
    fail(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(endings).toMatchObject([{ result: failure('connection_refused') }]);
  });

  it('is a misuse where undici could not write it', () => {
    const { fail, endings } = harness();
    fail(Object.assign(new Error('invalid header'), { code: 'UND_ERR_INVALID_ARG' }));
    expect(endings).toEqual([
      { kind: 'misuse', error: new TypeError('The request cannot be sent: invalid header') },
    ]);
  });

  it('has no result where it ends without a status', () => {
    const { end, endings } = harness();
    end();
    expect(endings).toEqual([]);
  });
});
