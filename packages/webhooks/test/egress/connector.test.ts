import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAddressPolicy } from '../../src/egress/address-policy.ts';
import { type ConnectorOptions, createGuardedConnector, openTcpSocket } from '../../src/egress/connector.ts';
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
  inOneTest([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    'fd00:ec2::254',
  ])('refuses the literal host %s, which no lookup ever sees', async (hostname) => {
    const { because } = createAddressPolicy().judge(hostname);
    expect(await connect(hostname)).toEqual({
      error: 'blocked_address',
      opened: [],
      reported: [`${hostname}: ${because}`],
    });
  });

  inOneTest(['127.0.0.1', '10.0.0.1', '::1', '::ffff:10.0.0.1'])(
    'refuses a name that resolves to %s',
    async (address) => {
      const resolve = resolvesTo('93.184.215.14', address);
      const { because } = createAddressPolicy().judge(address);
      expect(await connect('a.example.com', { resolve })).toEqual({
        error: 'blocked_address',
        opened: [],
        reported: [`a.example.com: ${address} is ${because}`],
      });
    },
  );

  it('connects to the judged address, not to the name', async () => {
    const tried = { error: 'network_error', reported: [] };
    expect(await connect('a.example.com')).toEqual({ ...tried, opened: ['93.184.215.14'] });
    expect(await connect('8.8.8.8')).toEqual({ ...tried, opened: ['8.8.8.8'] });
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
