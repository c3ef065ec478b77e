import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../../src/sessions/log-in/credentials.ts';

function requestOf(body: string | Uint8Array | ReadableStream | null, headers = {}): Request {
  const init = { method: 'POST', body, headers, duplex: 'half' } as const;
  return new Request('https://app.example/login', init);
}

describe('readCredentials', () => {
  it.each(['application/json', 'text/plain', ''])('reads an object sent as %j', async (type) => {
    const request = requestOf('{"login":"ä","nested":{"pin":1}}', { 'content-type': type });
    expect(await readCredentials(request)).toEqual({ login: 'ä', nested: { pin: 1 } });
  });

  it.each(['', 'null', '[]', '"text"', '42', '{', '{"login":"7"}x', '\uFEFF{}', '[{"login":"7"}]'])(
    'refuses the body %j',
    async (body) => {
      await expect(readCredentials(requestOf(body))).rejects.toMatchObject({ code: 'body_invalid' });
    },
  );

  it('refuses a body that is nested 4,000 levels deep', async () => {
    await expect(readCredentials(requestOf('['.repeat(4000)))).rejects.toMatchObject({
      code: 'body_invalid',
    });
  });

  it('refuses a request without a body', async () => {
    await expect(readCredentials(requestOf(null))).rejects.toMatchObject({ code: 'body_invalid' });
  });

  it('refuses a body that is no UTF-8', async () => {
    // {"a":"\xff"}, which a lenient decoder would read.
    const bytes = Buffer.from('{"a":"\u00ff"}', 'latin1');
    await expect(readCredentials(requestOf(bytes))).rejects.toMatchObject({ code: 'body_invalid' });
  });

  it('refuses a body that ends early, with the reason as its cause', async () => {
    const cause = new Error('gone');
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(cause);
      },
    });
    await expect(readCredentials(requestOf(broken))).rejects.toMatchObject({ code: 'body_invalid', cause });
  });

  it('reads no more of a body than 8 KiB', async () => {
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1024;
        controller.enqueue(new Uint8Array(1024).fill(0x20));
      },
      cancel() {
        isCancelled = true;
      },
    });
    await expect(readCredentials(requestOf(body))).rejects.toMatchObject({ code: 'body_too_large' });
    expect(sent).toBeLessThanOrEqual(11 * 1024);
    expect(isCancelled).toBe(true);
  });

  it('reads nothing of a body that is announced longer than 8 KiB', async () => {
    const request = requestOf('{}', { 'content-length': '8193' });
    await expect(readCredentials(request)).rejects.toMatchObject({ code: 'body_too_large' });
    expect(request.bodyUsed).toBe(false);
  });

  it('gives up a body of endless empty chunks', async () => {
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulls += 1;
        if (pulls > 20_000) controller.error(new Error('read for too long'));
        else controller.enqueue(new Uint8Array());
      },
    });
    await expect(readCredentials(requestOf(body))).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('reads exactly 8 KiB', async () => {
    const padded = (length: number) =>
      requestOf('{"login":"7"}'.padEnd(length, ' '), { 'content-length': String(length) });
    expect(await readCredentials(padded(8192))).toEqual({ login: '7' });
    await expect(readCredentials(padded(8193))).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('leaves out __proto__ at any depth', async () => {
    const body = '{"__proto__":{"isAdmin":true},"nested":{"__proto__":{"isAdmin":true},"constructor":1}}';
    const credentials = await readCredentials(requestOf(body));
    const copy = Object.assign({}, credentials, credentials.nested);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy).sort()).toEqual(['constructor', 'nested']);
  });

  it.each(['multipart/form-data; boundary=b', 'Multipart/Mixed', 'application/x-www-form-urlencoded'])(
    'refuses %s, also where a reader of uploads has read it before, and where a parser made JSON of it',
    async (contentType) => {
      const requests = ['login=7', '{"login":"7","password":"x"}', '--b--'].map((body) =>
        requestOf(body, { 'content-type': contentType }),
      );
      await requests.at(-1)?.text();
      for (const request of requests) {
        await expect(readCredentials(request)).rejects.toMatchObject({ code: 'unsupported_media_type' });
      }
    },
  );
});
