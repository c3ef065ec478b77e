import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { requestLogIn } from '../../../../src/panel/app/log-in/log-in-request.ts';
import { listen } from '../../../egress/loopback.ts';

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Logs in at a server that gives one answer, and tells what it was asked. */
async function logIn({ status, code, headers = {} }: Answer) {
  const asked: { request: IncomingMessage; body: unknown }[] = [];
  const { port } = await listen(
    createServer(async (request, response) => {
      asked.push({ request, body: await json(request) });
      response.writeHead(status, { connection: 'close', ...headers });
      response.end(code === undefined ? '<h1>A page</h1>' : JSON.stringify({ code }));
    }),
  );
  return { asked, result: await requestLogIn(`http://127.0.0.1:${port}/login`, 'ada', 'a pässword') };
}

describe('requestLogIn', () => {
  it('posts the login and the password once, as JSON', async () => {
    const { asked, result } = await logIn({ status: 200 });
    expect(result).toEqual({ kind: 'accepted' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.body).toEqual({ login: 'ada', password: 'a pässword' });
    const { method, headers } = asked[0]?.request ?? {};
    expect(method).toBe('POST');
    expect(headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' });
  });

  inOneTest<[Answer, object]>([
    [{ status: 401, code: 'invalid_credentials' }, { kind: 'wrong' }],
    [{ status: 422, code: 'login_invalid' }, { kind: 'wrong' }],
    [{ status: 403, code: 'cross_site' }, { kind: 'cross-site' }],
    [{ status: 403 }, { kind: 'unexpected' }],
    [{ status: 500 }, { kind: 'unexpected' }],
    [
      { status: 429, code: 'rate_limited', headers: { 'retry-after': '30' } },
      { kind: 'throttled', waitMs: 30_000 },
    ],
    [{ status: 429 }, { kind: 'throttled', waitMs: 0 }],
    [
      { status: 503, code: 'hashing_busy', headers: { 'retry-after': '2' } },
      { kind: 'busy', waitMs: 2_000 },
    ],
  ])('takes the answer %j for %j', async (answer, expected) => {
    expect((await logIn(answer)).result).toEqual(expected);
  });

  it('follows no redirect, whose page would be a success', async () => {
    const { asked, result } = await logIn({ status: 302, headers: { location: '/' } });
    expect(result).toEqual({ kind: 'unexpected' });
    expect(asked).toHaveLength(1);
  });

  it('is unreachable where nothing answers, and does not reject', async () => {
    const { port } = await listen(createServer((request) => request.socket.destroy()));
    expect(await requestLogIn(`http://127.0.0.1:${port}/`, 'ada', 'x')).toEqual({ kind: 'unreachable' });
  });
});
