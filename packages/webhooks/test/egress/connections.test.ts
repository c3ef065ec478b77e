import { createServer } from 'node:http';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/egress/address-policy.ts';
import {
  createConnections,
  MAX_CONNECTION_AGE_MS,
  MAX_IDLE_CONNECTIONS,
  MAX_REQUESTS_IN_A_ROW,
  QUIET_MS,
} from '../../src/egress/connections.ts';
import { createGuardedConnector, openTcpSocket } from '../../src/egress/connector.ts';
import { exchange } from '../../src/egress/exchange.ts';
import { listen, rawRecipient, resolvesTo } from './loopback.ts';

const loopbackConnector = () =>
  createGuardedConnector({
    policy: createAddressPolicy(['127.0.0.1']),
    resolve: resolvesTo('127.0.0.1'),
    connectTimeoutMs: 5000,
    openSocket: openTcpSocket,
    trust: {},
    onBlocked: () => undefined,
  });

async function connectionsToRecipient() {
  const recipient = await startRecipient();
  const clock = { now: 0 };
  const connections = createConnections(loopbackConnector(), () => clock.now);
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

describe('a recipient that answers one request twice', () => {
  const answer = (status: number): string => `HTTP/1.1 ${status} Status\r\nContent-Length: 0\r\n\r\n`;

  it('gives at most three later requests the answer to another, and then gets no connection again', async () => {
    let late = answer(200);
    const recipient = await rawRecipient((socket) => {
      const isFirst = recipient.connections.length === 0;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        // On the first connection each answer comes once the next request is under way.
        socket.write(isFirst && requests > 1 ? late : answer(isFirst ? 200 : 204));
        if (requests > 1) late = answer(500 + requests);
      });
    });
    const connections = createConnections(loopbackConnector(), () => 0);
    const send = async (): Promise<unknown> => {
      const request = { origin: `http://127.0.0.1:${recipient.port}`, path: '/', headers: {}, body: '' };
      const result = await exchange(connections, request, { timeoutMs: 5000 });
      return 'statusCode' in result ? result.statusCode : result.code;
    };
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await send());
    expect(statuses).toEqual([200, 200, 502, 503, 204, 204]);
    expect(recipient.connections).toHaveLength(2);
    recipient.connections[0]?.write(late);
    await expect.poll(() => recipient.connections[0]?.destroyed).toBe(true);
    expect([await send(), await send()]).toEqual([204, 204]);
    expect(recipient.connections).toHaveLength(4);
    connections.destroy();
  });
});

describe('a connection', () => {
  it('serves a few requests in a row, and the next only after it has been quiet', async () => {
    const { recipient, clock, connections, send } = await connectionsToRecipient();
    for (let n = 0; n < MAX_REQUESTS_IN_A_ROW; n += 1) await send();
    expect(recipient.connections).toHaveLength(1);
    await send();
    expect(recipient.connections).toHaveLength(2);
    clock.now += QUIET_MS;
    for (let n = 0; n < 2 * MAX_REQUESTS_IN_A_ROW; n += 1) await send();
    expect(recipient.connections).toHaveLength(2);
    await send();
    expect(recipient.connections).toHaveLength(3);
    connections.destroy();
  });

  it.each([
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 3],
    ['a 408', 'HTTP/1.1 408 Request Timeout\r\n\r\n', 2],
  ])(
    'that receives something while it is idle: later ones are used once, unless it is a 408: %s',
    async (_, late, opened) => {
      const { recipient, connections, send } = await connectionsToRecipient();
      await send();
      recipient.connections[0]?.write(late);
      await expect.poll(() => recipient.connections[0]?.destroyed).toBe(true);
      await send();
      await send();
      expect(recipient.connections).toHaveLength(opened);
      connections.destroy();
    },
  );
});
