import { createServer } from 'node:http';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/egress/address-policy.ts';
import {
  createConnections,
  MAX_CONNECTION_AGE_MS,
  MAX_IDLE_CONNECTIONS,
} from '../../src/egress/connections.ts';
import { createGuardedConnector, openTcpSocket } from '../../src/egress/connector.ts';
import { exchange } from '../../src/egress/exchange.ts';
import { listen, resolvesTo } from './loopback.ts';

async function connectionsToRecipient() {
  const recipient = await startRecipient();
  const clock = { now: 0 };
  const connections = createConnections(
    createGuardedConnector({
      policy: createAddressPolicy(['127.0.0.1']),
      resolve: resolvesTo('127.0.0.1'),
      connectTimeoutMs: 5000,
      openSocket: openTcpSocket,
      trust: {},
      onBlocked: () => undefined,
    }),
    () => clock.now,
  );
  const send = async ({ port } = recipient): Promise<void> => {
    const request = { origin: `http://127.0.0.1:${port}`, path: '/', headers: {}, body: '' };
    const result = await exchange(connections, request, { timeoutMs: 5000 });
    expect(result).toMatchObject({ statusCode: 200 });
    await turnOfTheLoop();
  };
  return { recipient, clock, connections, send };
}

/** Announces a long idle time, so that a busy machine keeps the connections of a test open. */
function startRecipient() {
  return listen(createServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end()));
}

describe('connections', () => {
  it('are used again until they are a minute old', async () => {
    const { recipient, clock, connections, send } = await connectionsToRecipient();
    await send();
    clock.now = MAX_CONNECTION_AGE_MS;
    await send();
    expect(recipient.connections).toHaveLength(1);
    clock.now += 1;
    await send();
    expect(recipient.connections).toHaveLength(2);
    connections.destroy();
  });

  it('are closed when they come back older than that', async () => {
    const { recipient, clock, connections, send } = await connectionsToRecipient();
    const sending = send();
    clock.now = MAX_CONNECTION_AGE_MS + 1;
    await sending;
    clock.now = 0;
    await send();
    expect(recipient.connections).toHaveLength(2);
    connections.destroy();
  });

  it('are not shared between two requests at once', async () => {
    const { recipient, connections, send } = await connectionsToRecipient();
    await Promise.all([send(), send(), send()]);
    expect(recipient.connections).toHaveLength(3);
    await Promise.all([send(), send(), send()]);
    expect(recipient.connections).toHaveLength(3);
    connections.destroy();
  });

  it('are not given out after the recipient has closed them', async () => {
    const { recipient, connections, send } = await connectionsToRecipient();
    await send();
    const [socket] = recipient.connections;
    socket?.end();
    await expect.poll(() => socket?.closed).toBe(true);
    await send();
    expect(recipient.connections).toHaveLength(2);
    connections.destroy();
  });

  it('that the recipient has closed take no room from idle ones', async () => {
    const { recipient, connections, send } = await connectionsToRecipient();
    const [closing, another] = [await startRecipient(), await startRecipient()];
    await send();
    await Promise.all(Array.from({ length: MAX_IDLE_CONNECTIONS - 1 }, () => send(closing)));
    for (const socket of closing.connections) socket.end();
    await expect.poll(() => closing.connections.every(({ closed }) => closed)).toBe(true);
    await send(another);
    await send();
    expect(recipient.connections).toHaveLength(1);
    connections.destroy();
  });
});
