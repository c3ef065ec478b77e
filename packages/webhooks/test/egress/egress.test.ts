import { once } from 'node:events';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { MAX_IDLE_CONNECTIONS } from '../../src/egress/connections.ts';
import { createEgress } from '../../src/egress/egress.ts';
import type { Resolve } from '../../src/egress/resolve.ts';
import { httpRecipient, resolvesTo, testEgress, unusedPort } from './loopback.ts';

const loopback = { allowedAddresses: ['127.0.0.0/8'] };
const delivery = { headers: { 'Content-Type': 'application/json' }, body: '{"a":"ü"}' };
const failure = (code: string): object => ({ kind: 'failure', code });

describe('what goes out', () => {
  it('is one POST with the given headers and body, to the host of the URL', async () => {
    const seen: unknown[] = [];
    const recipient = await httpRecipient((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
        response.setHeader('Retry-After', '120').writeHead(202).end('thanks');
      });
    });
    const egress = testEgress(loopback);
    const url = `http://hooks.example.com:${recipient.port}/a%20b?c=d#e`;
    const result = await egress.send({ ...delivery, url });
    expect(result).toEqual({
      kind: 'response',
      statusCode: 202,
      retryAfter: '120',
      date: expect.stringMatching(/ GMT$/),
      headers: { 'retry-after': '120' },
      body: 'thanks',
    });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/a%20b?c=d',
        headers: {
          host: `hooks.example.com:${recipient.port}`,
          connection: 'keep-alive',
          'content-type': 'application/json',
          'content-length': '10',
        },
        body: delivery.body,
      },
    ]);
  });

  it('asks for the path and query as the URL spells them, reserved characters and length included', async () => {
    const recipient = await httpRecipient((request, response) => response.end(request.url));
    const egress = testEgress(loopback);
    for (const target of [
      '/',
      '//a//',
      "/a;b=c/%2F/%00/$&+,:=@!*'()|~/[x]?q[]=1&r=%27/?:@!$()*+,;=-._~",
      '/?a=http://127.0.0.1/',
      `/${'p'.repeat(1900)}`,
    ]) {
      const result = await egress.send({ ...delivery, url: `http://127.0.0.1:${recipient.port}${target}` });
      expect(result).toEqual({ kind: 'response', statusCode: 200, body: target });
      await turnOfTheLoop();
    }
  });

  it('may be bytes', async () => {
    const recipient = await httpRecipient((request, response) => request.pipe(response));
    const body = new TextEncoder().encode('xüx').subarray(1);
    const result = await testEgress(loopback).send({ url: recipient.url, headers: {}, body });
    expect(result).toEqual({ kind: 'response', statusCode: 200, body: 'üx' });
  });

  inOneTest(['Host', 'host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Expect'])(
    "never carries a caller's %s header",
    async (name) => {
      const sending = testEgress(loopback).send({
        url: 'http://127.0.0.1:9999/',
        headers: { [name]: 'x' },
        body: '',
      });
      await expect(sending).rejects.toThrow(TypeError);
    },
  );

  it('never carries a header with a line break', async () => {
    const egress = testEgress(loopback);
    const sending = egress.send({
      url: 'http://127.0.0.1:9999/',
      headers: { 'X-A': 'b\r\nX-C: d' },
      body: '',
    });
    await expect(sending).rejects.toThrow(TypeError);
    expect(egress.opened).toEqual([]);
  });
});

describe('failures to connect', () => {
  it('are told apart by code', async () => {
    const url = `http://a.example.com:${await unusedPort()}/`;
    expect(await testEgress(loopback).send({ ...delivery, url })).toEqual(failure('connection_refused'));
    const unresolved = testEgress({ ...loopback, resolve: resolvesTo() });
    expect(await unresolved.send({ ...delivery, url })).toEqual(failure('dns_error'));
    const failing = testEgress({ ...loopback, resolve: () => Promise.reject(new Error('SERVFAIL')) });
    expect(await failing.send({ ...delivery, url })).toEqual(failure('dns_error'));
  });

  it('end at the deadline for connecting when the resolver hangs', async () => {
    const egress = testEgress({ ...loopback, timeoutMs: 150, resolve: () => new Promise(() => {}) });
    expect(await egress.send({ ...delivery, url: 'http://a.example.com:9999/' })).toEqual(failure('timeout'));
  });

  it('open no socket any more once the whole deadline has passed', async () => {
    const { promise: later, resolve: goOn } = deferred();
    const resolve: Resolve = async () => {
      await later;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const egress = testEgress({ ...loopback, timeoutMs: 50, resolve });
    const result = await egress.send({ ...delivery, url: 'http://a.example.com:9999/' });
    expect(result).toEqual(failure('timeout'));
    goOn();
    await turnOfTheLoop();
    expect(egress.opened).toEqual([]);
  });
});

describe('ending', () => {
  it('gives up when the signal fires, before and during a request', async () => {
    const egress = testEgress(loopback);
    const aborted = AbortSignal.abort();
    expect(await egress.send({ ...delivery, url: 'http://127.0.0.1:9999/', signal: aborted })).toEqual(
      failure('aborted'),
    );
    expect(egress.opened).toEqual([]);

    const controller = new AbortController();
    const recipient = await httpRecipient(() => controller.abort());
    const result = await egress.send({ ...delivery, url: recipient.url, signal: controller.signal });
    expect(result).toEqual(failure('aborted'));
    const [connection] = recipient.connections;
    if (connection?.closed === false) await once(connection, 'close');
  });

  it('waits for requests under way, refuses new ones, closes kept-alive sockets', async () => {
    const { promise: later, resolve: answer } = deferred();
    const recipient = await httpRecipient(async (request, response) => {
      if (request.url === '/slow') await later;
      response.end();
    });
    const egress = testEgress(loopback);
    await egress.send({ ...delivery, url: recipient.url });
    const slow = egress.send({ ...delivery, url: recipient.url.replace('/hook', '/slow') });
    const closing = egress.close();
    expect(await egress.send({ ...delivery, url: recipient.url })).toEqual(failure('closed'));
    answer();
    expect(await slow).toMatchObject({ statusCode: 200 });
    await closing;
    await egress.close();
    await vi.waitFor(
      () => expect(recipient.connections.every((socket) => socket.destroyed)).toBe(true),
      60_000,
    );
  });

  it('keeps a bounded number of idle connections', async () => {
    const recipient = await httpRecipient((_, response) => response.end());
    const egress = testEgress(loopback);
    for (let index = 0; index < MAX_IDLE_CONNECTIONS + 44; index += 1) {
      const result = await egress.send({
        ...delivery,
        url: `http://n${index}.example.com:${recipient.port}/`,
      });
      expect(result).toMatchObject({ statusCode: 200 });
    }
    await vi.waitFor(() => {
      expect(recipient.connections.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(
        MAX_IDLE_CONNECTIONS,
      );
    }, 60_000);
  });
});

describe('options', () => {
  inOneTest([
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: 120_001 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: 1.5 }, 'timeoutMs'],
    [{ allowedAddresses: ['10.0.0.0/33'] }, 'allowedAddresses'],
    [JSON.parse('{"requireHttps":"yes"}'), 'requireHttps'],
    [JSON.parse('{"resolve":"dns"}'), 'resolve'],
    [JSON.parse('{"requireHTTPS":true}'), 'requireHTTPS'],
    [JSON.parse('null'), 'egress must be an object, not null'],
    [JSON.parse('"https"'), 'egress must be an object'],
  ])('refuses %j at construction', (options, name) => {
    expect(() => createEgress(options)).toThrow(TypeError);
    expect(() => createEgress(options)).toThrow(name);
  });

  it('decide alike about registering a URL and delivering to it, whatever becomes of them later', async () => {
    const recipient = await httpRecipient((_request, response) => response.writeHead(204).end());
    const options = { allowedAddresses: ['127.0.0.1'], requireHttps: false };
    const egress = testEgress(options);
    options.allowedAddresses[0] = '127.0.0.2';
    options.requireHttps = true;
    expect((await egress.assertPublicUrl(recipient.url, '')).href).toBe(recipient.url);
    expect(await egress.send({ ...delivery, url: recipient.url })).toMatchObject({ statusCode: 204 });
    const closed = 'http://127.0.0.2/';
    await expect(egress.assertPublicUrl(closed, '')).rejects.toMatchObject({ code: 'url_not_public' });
    expect(await egress.send({ ...delivery, url: closed })).toEqual(failure('blocked_address'));
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
