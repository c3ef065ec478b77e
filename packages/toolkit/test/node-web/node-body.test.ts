import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectHttp2, createServer } from 'node:http2';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBody, parsedBodyOf } from '../../src/node-web/node-body.ts';
import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { toWebRequest } from '../../src/node-web/node-request.ts';
import { UnusableRequestError } from '../../src/node-web/unusable-request.ts';
import { listen } from '../loopback.ts';
import { type FetchHandler, serve } from './fetch-server.ts';

describe('a body', () => {
  it('streams: the handler reads the first chunk before the second is sent', async () => {
    let sendSecond = () => {};
    const { port } = await serve(async ({ body }) => {
      const reader = body?.getReader();
      const first = await reader?.read();
      sendSecond();
      const second = await reader?.read();
      return new Response(
        Buffer.concat([first?.value ?? [], second?.value ?? []].map((x) => Buffer.from(x))),
      );
    });
    const client = request({ port, host: '127.0.0.1', method: 'POST' });
    sendSecond = () => client.end('two');
    client.write('one,');
    const [response] = await once(client, 'response');
    expect(String((await once(response, 'data'))[0])).toBe('one,two');
  });

  it('fails to be read when the client leaves in the middle of it', async () => {
    let outcome = (_: string) => {};
    const reading = new Promise<string>((resolve) => {
      outcome = resolve;
    });
    const { port } = await serve(async (request) => {
      await request.text().then(
        () => outcome('read'),
        () => outcome('failed'),
      );
      return new Response();
    });
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
    });
    expect(await reading).toBe('failed');
  });

  it('that a middleware has consumed without parsing it is not taken for no body', async () => {
    const { port } = await listen((incoming, outgoing) => {
      incoming.resume().once('end', () => {
        const handler = async (signal: AbortSignal) =>
          new Response(await toWebRequest(incoming, { signal }).text());
        serveNodeRequest(incoming, outgoing, handler).catch((error) => {
          outgoing.writeHead(500).end(String(error));
        });
      });
    });
    const post = async (body: string) =>
      await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
    expect(await post('{"end_previous":true}')).toMatch(/^TypeError: The body has been read already/);
    expect(await post('')).toBe('');
  });

  it.each([
    ['with a length', { 'content-length': '5' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('that flows away %s while something is awaited is not taken for no body', async (_, headers) => {
    const { port } = await serveAfterAwait((incoming) => void incoming.on('data', () => {}));
    const client = request({ port, host: '127.0.0.1', method: 'POST', headers });
    client.end('12345');
    const [response] = await once(client, 'response');
    expect(String(Buffer.concat(await response.toArray()))).toMatch(/^TypeError: The body has been read/);
  });

  it('of HTTP/2 without a length that was consumed is not taken for no body', async () => {
    const server = createServer((incoming, outgoing) => {
      incoming.resume().once('end', () => void outgoing.end(String(hasBody(incoming))));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const client = connectHttp2(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    onTestFinished(() => client.close());
    const answers = ['12345', undefined].map(async (body) => {
      const stream = client.request({ ':method': 'POST' }, { endStream: body === undefined });
      if (body !== undefined) stream.end(body);
      return String(Buffer.concat(await stream.toArray()));
    });
    expect(await Promise.all(answers)).toEqual(['true', 'false']);
  });

  it.each<BufferEncoding>(['utf8', 'latin1', 'base64', 'hex'])(
    'is the bytes that arrived after setEncoding(%j)',
    async (encoding) => {
      const { port } = await listen((incoming, outgoing) => {
        incoming.setEncoding(encoding);
        void serveNodeRequest(
          incoming,
          outgoing,
          async (signal) => new Response(await toWebRequest(incoming, { signal }).arrayBuffer()),
        );
      });
      const body = JSON.stringify({ name: 'Grüße 🎉'.repeat(20_000) });
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
      expect(await response.text()).toBe(body);
    },
  );

  it('that a middleware has read in part is not padded to the length that its header claims', async () => {
    const handler: FetchHandler = async (request) => new Response(String((await request.text()).length));
    const { port } = await listen((incoming, outgoing) => {
      incoming.once('data', () => {
        incoming.pause();
        const request = Object.assign(incoming, { body: {} });
        void serveNodeRequest(request, outgoing, (signal) => handler(toWebRequest(request, { signal })));
      });
    });
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 400000000\r\n\r\nabc');
    });
    socket.on('error', () => {});
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/\r\n\r\n(?:6\r\n)?131074/);
  });
});

/** Answers with the text of a body, or the error of reading it, that is read after an await. */
function serveAfterAwait(before: (incoming: IncomingMessage) => void) {
  return listen((incoming, outgoing) => {
    before(incoming);
    const handler = async (signal: AbortSignal) => {
      const made = toWebRequest(incoming, { signal });
      await once(incoming, 'end');
      return new Response(await made.text().catch(String));
    };
    void serveNodeRequest(incoming, outgoing, handler);
  });
}

describe('a parsed body', () => {
  const contentOf = (body: unknown, headers: Record<string, string> = {}) =>
    parsedBodyOf(body, headers)?.content;

  it('is written again as the bytes or the text that the parser made', () => {
    const bytes = Buffer.from([0, 255, 128]);
    expect(contentOf(bytes, { 'content-length': '9' })).toEqual(new Uint8Array(bytes));
    expect(contentOf('grüße', { 'content-length': '99' })).toBe('grüße');
  });

  it('is padded to the length in which the client sent its JSON, counted in bytes', () => {
    expect(contentOf({ a: 'ü' }, { 'content-length': '12' })).toBe('{"a":"ü"}  ');
    expect(contentOf({ a: 1 }, { 'content-length': '3' })).toBe('{"a":1}');
    expect(contentOf({ a: 1 })).toBe('{"a":1}');
  });

  it('is not padded to the length of a compressed body', () => {
    const headers = { 'content-length': '99', 'content-encoding': 'gzip' };
    expect(contentOf({ a: 1 }, headers)).toBe('{"a":1}');
  });

  it('is none where the client sent none', () => {
    expect(parsedBodyOf(undefined, {})).toBeUndefined();
    expect(parsedBodyOf(undefined, { 'content-length': '0' })).toBeUndefined();
  });

  it('is unusable where it cannot be written as JSON', () => {
    expect(() => parsedBodyOf({ a: 1n }, {})).toThrow(UnusableRequestError);
  });
});
