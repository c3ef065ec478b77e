import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openTcpSocket } from '../../src/egress/connector.ts';
import { httpRecipient, listen, rawRecipient, resolvesTo, testEgress } from '../egress/loopback.ts';

const hasIpv6Loopback = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');
const loopback = { allowedAddresses: ['127.0.0.0/8'] };
const delivery = { headers: { 'Content-Type': 'application/json' }, body: '{"a":"ü"}' };
const failure = (code: string): object => ({ kind: 'failure', code });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('address policy in the connection', () => {
  it('opens a socket to a literal public address in any spelling, and to that alone', async () => {
    const egress = testEgress({ resolve: () => Promise.reject(new Error('must not be asked')) });
    for (const [host, address] of [
      ['93.184.215.14', '93.184.215.14'],
      ['0x5db8d70e', '93.184.215.14'],
      ['[2606:4700:0:0:0:0:0:1111]', '2606:4700::1111'],
      ['[::ffff:93.184.215.14]', '::ffff:5db8:d70e'],
      ['[64:ff9b::93.184.215.14]', '64:ff9b::5db8:d70e'],
    ]) {
      for (const scheme of ['http', 'https']) {
        // The recorder refuses to leave this machine.
        expect(await egress.send({ ...delivery, url: `${scheme}://${host}:8443/` })).toEqual(
          failure('network_error'),
        );
      }
      expect(egress.opened.splice(0)).toEqual([address, address]);
    }
  });

  it.skipIf(!hasIpv6Loopback)(
    'delivers to a literal IPv6 address where the allow list opens it',
    async () => {
      const server = createServer((request, response) => response.end(request.headers.host));
      const { port } = await listen(server, '::1');
      const result = await testEgress({ allowedAddresses: ['::1'] }).send({
        ...delivery,
        url: `http://[::1]:${port}/`,
      });
      expect(result).toEqual({ kind: 'response', statusCode: 200, body: `[::1]:${port}` });
    },
  );

  it.each([
    ['public, then private', ['93.184.215.14', '10.0.0.1']],
    ['private, then public', ['10.0.0.1', '93.184.215.14']],
    ['allowed, then private', ['127.0.0.1', '10.0.0.1']],
    ['sixty-five addresses', Array.from({ length: 65 }, () => '127.0.0.1')],
    ['a mapped private address', ['::ffff:10.0.0.1']],
    ['no address', ['a.example.net']],
  ])('refuses an answer as a whole: %s', async (_what, addresses) => {
    const egress = testEgress({ ...loopback, resolve: resolvesTo(...addresses) });
    expect(await egress.send({ ...delivery, url: 'http://a.example.com:9999/' })).toEqual(
      failure('blocked_address'),
    );
    expect(egress.opened).toEqual([]);
  });

  it('writes nothing to a socket that ended up elsewhere', async () => {
    let bytes = 0;
    const recipient = await rawRecipient((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
    const redirected = testEgress(
      { resolve: resolvesTo('93.184.215.14') },
      { openSocket: () => openTcpSocket('127.0.0.1', recipient.port) },
    );
    for (const scheme of ['http', 'https']) {
      expect(await redirected.send({ ...delivery, url: `${scheme}://a.example.com/` })).toEqual(
        failure('blocked_address'),
      );
    }
    expect([redirected.opened, recipient.connections.length]).toEqual([
      ['93.184.215.14', '93.184.215.14'],
      2,
    ]);
    expect(bytes).toBe(0);
  });

  it('tries the next vetted address when one does not answer', async () => {
    const recipient = await httpRecipient((_, response) => response.end());
    const egress = testEgress({ ...loopback, resolve: resolvesTo('127.0.0.2', '127.0.0.3', '127.0.0.1') });
    const result = await egress.send({ ...delivery, url: `http://a.example.com:${recipient.port}/` });
    expect(result).toMatchObject({ statusCode: 200 });
    expect(egress.opened).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.1']);
  });

  it('tries both address families early and four addresses at most', async () => {
    const refusing = (): never => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    };
    const egress = testEgress(
      {
        resolve: resolvesTo('2606:4700::1', '2606:4700::2', '2606:4700::3', '2606:4700::4', '93.184.215.14'),
      },
      { openSocket: refusing },
    );
    expect(await egress.send({ ...delivery, url: 'http://a.example.com/' })).toEqual(
      failure('connection_refused'),
    );
    expect(egress.opened).toEqual(['2606:4700::1', '93.184.215.14', '2606:4700::2', '2606:4700::3']);
  });

  it('ignores proxies of the environment and the global dispatcher', async () => {
    const proxy = await rawRecipient(() => undefined);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    vi.stubEnv('NO_PROXY', '');
    const before = getGlobalDispatcher();
    setGlobalDispatcher(new Agent({ connect: { host: '127.0.0.1', port: proxy.port } }));
    try {
      const recipient = await httpRecipient((_, response) => response.end('direct'));
      const result = await testEgress(loopback).send({ ...delivery, url: recipient.url });
      expect(result).toEqual({ kind: 'response', statusCode: 200, body: 'direct' });
      expect(proxy.connections).toEqual([]);
    } finally {
      setGlobalDispatcher(before);
    }
  });
});
