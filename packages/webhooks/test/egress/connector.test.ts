import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { createAddressPolicy } from '../../src/egress/address-policy.ts';
import {
  ATTEMPT_DELAY_MS,
  type ConnectorOptions,
  createGuardedConnector,
  openTcpSocket,
  PREFERRED_MS,
} from '../../src/egress/connector.ts';
import { rawRecipient, resolvesTo } from './loopback.ts';

/** The error of a connection, if any, and the addresses that were connected to. */
async function connect(hostname: string, options: Partial<ConnectorOptions> = {}) {
  const opened: string[] = [];
  const reported: string[] = [];
  const openSocket = vi.fn((address: string): Socket => {
    opened.push(address);
    throw new Error('recorded and refused');
  });
  const connector = createGuardedConnector({
    policy: createAddressPolicy(),
    resolve: resolvesTo('93.184.215.14'),
    connectTimeoutMs: 5000,
    openSocket,
    trust: {},
    onBlocked: (host, because) => reported.push(`${host}: ${because}`),
    ...options,
  });
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  const connecting = connector(`http://${host}`, new AbortController().signal);
  const error = await connecting.then(
    (socket) => void socket.destroy(),
    (failure: Error) => failure,
  );
  return { error: error?.message, opened, reported };
}

describe('guarded connector', () => {
  inOneTest(
    words(`
    127.0.0.1 10.0.0.1 169.254.169.254 ::1 ::ffff:7f00:1 64:ff9b::a00:1 fd00:ec2::254
  `),
  )('refuses the literal host %s, which no lookup ever sees', async (hostname) => {
    const { because } = createAddressPolicy().judge(hostname);
    expect(await connect(hostname)).toEqual({
      error: 'blocked_address',
      opened: [],
      reported: [`${hostname}: ${because}`],
    });
  });

  it('refuses a socket that is connected to another address, be that one allowed as well', async () => {
    const recipient = await rawRecipient(() => undefined);
    const { error, reported } = await connect('127.0.0.2', {
      policy: createAddressPolicy(['127.0.0.0/8']),
      openSocket: () => openTcpSocket('127.0.0.1', recipient.port),
    });
    expect(error).toBe('blocked_address');
    expect(reported).toEqual(['127.0.0.2: the socket reached 127.0.0.1']);
  });

  it('reports a socket without a remote address as reset', async () => {
    const recipient = await rawRecipient(() => undefined);
    const { error } = await connect('127.0.0.1', {
      policy: createAddressPolicy(['127.0.0.1']),
      openSocket: () => {
        const socket = openTcpSocket('127.0.0.1', recipient.port);
        return Object.defineProperty(socket, 'remoteAddress', { value: undefined });
      },
    });
    expect(error).toBe('connection_reset');
  });
});

describe('the addresses of a name', () => {
  /** A recipient whose name resolves to `addresses`. Those in `answering` answer, others are silent. */
  async function recipientAt(addresses: string[], answering: string[]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    // One that speaks no TLS.
    const { port } = await rawRecipient((socket) => socket.once('data', () => socket.end()));
    const tried: string[] = [];
    const sockets: Socket[] = [];
    const openSocket = (address: string): Socket => {
      tried.push(address);
      if (address === '127.0.0.9') throw new Error('refused');
      const socket = answering.includes(address) ? openTcpSocket('127.0.0.1', port) : new Socket();
      sockets.push(Object.defineProperty(socket, 'remoteAddress', { value: address }));
      return socket;
    };
    const connector = createGuardedConnector({
      policy: createAddressPolicy(['127.0.0.0/8']),
      resolve: async () => addresses.map((address) => ({ address, family: 4 })),
      connectTimeoutMs: 5000,
      openSocket,
      trust: {},
      onBlocked: () => undefined,
    });
    const connecting = async (scheme = 'http'): Promise<string[]> => {
      tried.length = 0;
      (await connector(`${scheme}://a.example.com:${port}`, new AbortController().signal)).destroy();
      expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
      return tried;
    };
    return { connecting, tried, addresses };
  }

  it('are tried 250 ms apart, or when one fails, until one answers', async () => {
    const [silent, refusing, answering] = ['127.0.0.1', '127.0.0.9', '127.0.0.3'];
    const { connecting, tried } = await recipientAt(
      [silent, refusing, '127.0.0.2', answering, '127.0.0.4'],
      [answering],
    );
    const connected = connecting();
    await vi.advanceTimersByTimeAsync(ATTEMPT_DELAY_MS - 1);
    expect(tried).toEqual([silent]);
    await vi.advanceTimersByTimeAsync(1);
    expect(tried).toEqual([silent, refusing, '127.0.0.2']);
    await vi.advanceTimersByTimeAsync(ATTEMPT_DELAY_MS);
    expect(await connected).toEqual([silent, refusing, '127.0.0.2', answering]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are all given up at the deadline', async () => {
    const { connecting, tried } = await recipientAt(['127.0.0.1', '127.0.0.2'], []);
    const refused = expect(connecting()).rejects.toThrow('timeout');
    await vi.advanceTimersByTimeAsync(5000);
    await refused;
    expect(tried).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  it('begin for ten minutes with the one that answered, while the name resolves to it', async () => {
    const { connecting, addresses } = await recipientAt(
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.3'],
    );
    const late = async (): Promise<string[]> => {
      const connected = connecting();
      await vi.advanceTimersByTimeAsync(ATTEMPT_DELAY_MS);
      return connected;
    };
    expect(await late()).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(await connecting()).toEqual(['127.0.0.2']);
    await vi.advanceTimersByTimeAsync(PREFERRED_MS);
    expect(await late()).toEqual(['127.0.0.1', '127.0.0.2']);
    addresses[1] = '127.0.0.3';
    expect(await late()).toEqual(['127.0.0.1', '127.0.0.3']);
    expect(await connecting()).toEqual(['127.0.0.3']);
    await expect(connecting('https')).rejects.toThrow('connection_reset');
    expect(await late()).toEqual(['127.0.0.1', '127.0.0.3']);
  });
});
