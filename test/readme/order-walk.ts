import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createTestReceiver } from '@acme/webhooks/testing';
import { expect, vi } from 'vitest';
import { freePort } from './free-port.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const START_MS = 120_000;

/** How a page's server is started. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** How the process ends after a SIGTERM: Nest closes everything and sends itself the signal. */
  readonly end?: 'exit' | 'signal';
  /** Where an order is placed, and the status of the answer. */
  readonly order?: readonly [path: string, status: number];
}

/**
 * Starts the server of a page and walks through it as its reader would: log in, register a webhook,
 * place an order, receive the callback, open the panel, end the process.
 */
export async function walkThrough(command: ServerCommand): Promise<void> {
  const { program, args, folder, end = 'exit', order = ['/api/admin/orders', 201] } = command;
  const receiver = await createTestReceiver();
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  const { VITEST: _, ...inherited } = process.env;
  const server = spawn(program, [...args], {
    cwd: folder,
    env: {
      ...inherited,
      NODE_ENV: 'development',
      PORT: String(port),
      ADMIN_PASSWORD: password,
      AUTH_SIGNING_KEY: randomBytes(32).toString('base64url'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(server);
  try {
    await vi.waitFor(
      async () => {
        expect(server.exitCode, output()).toBeNull();
        await fetch(`http://127.0.0.1:${port}/`);
      },
      { timeout: START_MS, interval: 100 },
    );
    const post = (path: string, body: object, cookie = '') =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { ...JSON_BODY, cookie },
        body: JSON.stringify(body),
      });

    expect((await post(order[0], {})).status).toBe(401);
    expect((await post('/api/admin/auth/login', { login: 'admin', password: 'wrong' })).status).toBe(401);
    const logIn = await post('/api/admin/auth/login', { login: 'admin', password });
    expect(logIn.status).toBe(200);
    const cookie = logIn.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    const send = (path: string, body: object) => post(path, body, cookie.join('; '));

    const created = await send('/api/admin/webhooks', { url: receiver.url, events: ['order.*'] });
    expect(created.status).toBe(201);
    const { secret }: { secret: string } = JSON.parse(await created.text());
    expect((await send(order[0], {})).status).toBe(order[1]);
    const [request] = await receiver.received(1);
    expect([request?.event, request?.data]).toEqual(['order.created', { by: '1' }]);
    await request?.verify(secret);

    const panel = await fetch(`http://127.0.0.1:${port}/admin/webhooks`);
    expect([panel.status, panel.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`http://127.0.0.1:${port}/elsewhere`)).status).toBe(404);

    server.kill('SIGTERM');
    await vi.waitFor(
      () =>
        expect([server.exitCode, server.signalCode]).toEqual(end === 'exit' ? [0, null] : [null, 'SIGTERM']),
      { timeout: START_MS, interval: 50 },
    );
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    await receiver.close();
  }
}

/** What a process has written so far. */
function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}
