import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isWebhookError } from '../../src/errors.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createTestEngine, type TestEngine } from '../engine/engine.ts';

// Both are loopback: OUTSIDE is what the allow list opens, INSIDE what it does not. A guard that
// lets something through reaches the server inside, and the test sees its connections.
const OUTSIDE = '127.0.0.1';
const INSIDE = '127.0.0.2';
const HOST = 'hooks.example.com';

/** A name that leads to two servers on one port, at one address each. */
interface World {
  readonly url: string;
  readonly port: number;
  readonly outside: readonly Socket[];
  readonly inside: readonly Socket[];
  readonly engine: TestEngine;
  /** The fields of the warnings that the engine logged. */
  readonly logged: readonly object[];
  /** Lets the name resolve to these addresses from now on. */
  pointTo(...addresses: string[]): void;
}

async function createWorld(answer: RequestListener): Promise<World> {
  const outside = createServer(answer);
  const port = await listenOn(outside, OUTSIDE, 0);
  const inside = createServer((_, response) => response.end('internal secret'));
  // Where the system has one loopback address alone, nobody listens inside, and a connection fails
  // in another way.
  await listenOn(inside, INSIDE, port).catch(() => undefined);
  let answers = [OUTSIDE];
  const logged: object[] = [];
  const engine = createTestEngine(memoryStorage(), {
    logger: { ...silentLogger, warn: (fields) => logged.push(fields) },
    egress: {
      allowedAddresses: [OUTSIDE],
      timeoutMs: 5000,
      resolve: async () => answers.map((address) => ({ address, family: 4 })),
    },
  });
  onTestFinished(() => engine.webhooks.close());
  await engine.webhooks.start();
  return {
    url: `http://${HOST}:${port}/hook`,
    port,
    outside: connectionsOf(outside),
    inside: connectionsOf(inside),
    engine,
    logged,
    pointTo(...addresses) {
      answers = addresses;
    },
  };
}

const CONNECTIONS = new WeakMap<Server, Socket[]>();
const connectionsOf = (server: Server): readonly Socket[] => CONNECTIONS.get(server) ?? [];

async function listenOn(server: Server, address: string, port: number): Promise<number> {
  const connections: Socket[] = [];
  CONNECTIONS.set(server, connections);
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

const accept: RequestListener = (_, response) => response.writeHead(204).end();
const blocked = { status: 'failed', statusCode: 0, responseBody: '', error: 'blocked_address' };

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an engine', () => {
  it('tells the operator, and nobody else, what an address is that it was kept from', async () => {
    const { engine, url, logged, pointTo } = await createWorld(accept);
    const named = await engine.webhooks.create({ url });
    pointTo(INSIDE);
    await engine.webhooks.dispatch('user.created', {});
    const delivery = await engine.ended(named.id);
    const because =
      '127.0.0.2 is 127.0.0.0/8 loopback (IANA IPv4 Special-Purpose Address Registry, RFC 1122)';
    const blocks = logged.filter((fields) => 'because' in fields);
    expect(blocks).toEqual(delivery.attemptLog.map(() => ({ host: HOST, because })));
    expect(JSON.stringify([delivery, engine.failed, engine.attempts, engine.errors])).not.toContain(INSIDE);
  });

  it('refuses a name that leads inside, on registration and on every update', async () => {
    const { engine, url, pointTo } = await createWorld(accept);
    const { id } = await engine.webhooks.create({ url });
    pointTo(OUTSIDE, INSIDE);
    for (const refused of [url, `http://${INSIDE}/`, 'http://2130706434/', 'http://[::ffff:7f00:2]/']) {
      const creating = engine.webhooks.create({ url: refused });
      const updating = engine.webhooks.update(id, { url: refused });
      for (const attempt of [creating, updating]) {
        await expect(attempt).rejects.toSatisfy((error) => isWebhookError(error, 'url_not_public'));
      }
    }
    expect(await engine.webhooks.get(id)).toMatchObject({ url });
  });

  it('does not follow a name that is pointed inside after the registration', async () => {
    const { engine, url, inside, outside, pointTo } = await createWorld(accept);
    const { id } = await engine.webhooks.create({ url });
    for (const answers of [[INSIDE], [OUTSIDE, INSIDE], [`::ffff:${INSIDE}`]]) {
      pointTo(...answers);
      await engine.webhooks.dispatch('user.created', {});
      const delivery = await engine.ended(id);
      expect(delivery).toMatchObject(blocked);
      const errors = delivery.attemptLog.map(({ error }) => error);
      expect([errors.length > 1, new Set(errors)]).toEqual([true, new Set(['blocked_address'])]);
      // Nothing that is kept, and so nothing that a webhook's owner sees, says where the name led.
      const { webhookId: _, ...kept } = delivery;
      expect(JSON.stringify(kept)).not.toContain('127.0.0');
    }
    expect([inside.length, outside.length]).toEqual([0, 0]);
  });

  it('does not follow a name that is pointed inside between two attempts', async () => {
    const world = await createWorld((_, response) => {
      world.pointTo(INSIDE);
      response.writeHead(503, { Connection: 'close' }).end();
    });
    const { id } = await world.engine.webhooks.create({ url: world.url });
    await world.engine.webhooks.dispatch('user.created', {});
    expect(await world.engine.ended(id)).toMatchObject(blocked);
    expect([world.inside.length, world.outside.length]).toEqual([0, 1]);
  });

  it('goes on with a connection that was vetted, whatever the name has become', async () => {
    let requests = 0;
    const world = await createWorld((_, response) => {
      world.pointTo(INSIDE);
      requests += 1;
      response.writeHead(requests === 1 ? 503 : 204).end();
    });
    const { id } = await world.engine.webhooks.create({ url: world.url });
    await world.engine.webhooks.dispatch('user.created', {});
    expect(await world.engine.ended(id)).toMatchObject({ status: 'success', attempts: 2 });
    expect([world.inside.length, world.outside.length]).toEqual([0, 1]);
  });

  it('takes the same way for a test event and for a redelivery', async () => {
    const { engine, url, inside, outside, pointTo } = await createWorld((_, response) =>
      response.writeHead(200, { Connection: 'close' }).end(),
    );
    const { id } = await engine.webhooks.create({ url });
    const first = await engine.webhooks.test(id);
    expect(await engine.ended(id, first.deliveryId)).toMatchObject({ status: 'success' });
    pointTo(INSIDE);
    const second = await engine.webhooks.test(id);
    expect(await engine.ended(id, second.deliveryId)).toMatchObject(blocked);
    await engine.webhooks.redeliver(id, first.deliveryId);
    expect(await engine.ended(id, first.deliveryId)).toMatchObject(blocked);
    expect([inside.length, outside.length]).toEqual([0, 1]);
  });

  it('does not follow a redirect inside, of whatever kind', async () => {
    let status = 301;
    const world = await createWorld((_, response) => {
      response.writeHead(status, { Location: `http://${INSIDE}:${world.port}/` }).end();
    });
    const { id } = await world.engine.webhooks.create({ url: world.url });
    for (status of [301, 302, 303, 307, 308]) {
      await world.engine.webhooks.dispatch('user.created', {});
      const delivery = await world.engine.ended(id);
      expect(delivery).toMatchObject({ status: 'failed', statusCode: status, error: `http_${status}` });
    }
    expect(world.inside).toEqual([]);
  });

  it('counts one attempt where a kept-alive connection was closed under it, and repeats nothing but the request', async () => {
    const heads: object[] = [];
    const { engine, url } = await createWorld((request, response) => {
      const {
        'x-webhook-id': id,
        'x-webhook-attempt': attempt,
        'webhook-signature': signature,
      } = request.headers;
      heads.push({ id, attempt, signature });
      if (heads.length === 2) request.socket.destroy();
      else response.writeHead(204).end();
    });
    const { id } = await engine.webhooks.create({ url });
    for (let count = 0; count < 2; count += 1) {
      await engine.webhooks.dispatch('user.created', {});
      expect(await engine.ended(id)).toMatchObject({ status: 'success', attempts: 1 });
    }
    expect(heads).toHaveLength(3);
    expect(heads[2]).toEqual(heads[1]);
    expect(heads[1]).not.toEqual(heads[0]);
    expect(engine.attempts.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  });
});
