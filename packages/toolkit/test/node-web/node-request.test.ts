import { describe, expect, it } from 'vitest';
import { type NodeRequest, toWebRequest } from '../../src/node-web/node-request.ts';
import { receivedOverHttp2 } from '../http2-exchange.ts';
import { inOneTest } from '../in-one-test.ts';
import { exchangeRaw } from '../loopback.ts';
import { echo, serve } from './fetch-server.ts';

describe('a Node request', () => {
  it('joins cookies as cookies, and shows every Authorization', async () => {
    const { port } = await serve(echo);
    const lines = ['Cookie: a=1', 'Cookie: b=2', 'Authorization: Bearer x', 'Authorization: Bearer y'];
    const answer = await exchangeRaw(
      port,
      `GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    expect(answer).toContain('"cookie":"a=1; b=2"');
    expect(answer).toContain('"authorization":"Bearer x, Bearer y"');
  });

  it('shows every Authorization over HTTP/2, unless a middleware has set one', async () => {
    const fields = ['Bearer x', 'Bearer y'].map((value) => ['authorization', value] as const);
    // Only what both versions of HTTP have is read.
    const incoming = (await receivedOverHttp2(fields)) as object as NodeRequest;
    const shown = () => toWebRequest(incoming, { signal: AbortSignal.abort() }).headers.get('authorization');
    expect(shown()).toBe('Bearer x, Bearer y');
    incoming.headers.authorization = 'Bearer z';
    expect(shown()).toBe('Bearer z');
  });

  inOneTest([
    ['//evil.example/x', '//evil.example/x'],
    ['/a/../b/%2e%2e/c', '/c'],
    ['/%zz/%', '/%zz/%'],
    ['http://other.example/path?q', '/path?q'],
    ['/\\evil.example', '//evil.example'],
  ])('for %s stays at its own host', async (target, path) => {
    const { port } = await serve(echo);
    const answer = await exchangeRaw(
      port,
      `GET ${target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toContain(`"url":"http://a.example${path}"`);
  });

  inOneTest([
    'Host: a b',
    'Host: a/b',
    'Host: user@a.example',
    'Host: a.example:port',
    'Host: a.example:99999',
    'Host: a.example#',
    'Host: a.example?x',
    'Host: [::1',
    'Host: %zz',
    'Host: a\\b',
    `Host: ${'a'.repeat(300)}`,
    'Host:',
    'Host: \xe4.example',
  ])('with %j is 400 and never reaches the handler', async (host) => {
    let reached = false;
    const { port } = await serve(async () => {
      reached = true;
      return new Response();
    });
    const answer = await exchangeRaw(port, `GET / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(reached).toBe(false);
  });

  inOneTest(['TRACE / HTTP/1.1', 'OPTIONS * HTTP/1.1', 'GET ftp:x HTTP/1.1'])(
    'that is %s is 400',
    async (line) => {
      const { port } = await serve(echo);
      const answer = await exchangeRaw(port, `${line}\r\nHost: a.example\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it('of HTTP/1.0 needs no Host', async () => {
    const { port } = await serve(echo);
    expect(await exchangeRaw(port, 'GET /x HTTP/1.0\r\n\r\n')).toContain('"url":"http://localhost/x"');
  });
});
