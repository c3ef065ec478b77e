import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { expressHandler } from '../../src/mounts/express-handler.ts';
import { toWebRequest } from '../../src/node-web/node-request.ts';
import { express4 } from '../framework-hosts.ts';
import { listen } from '../loopback.ts';

describe.each([
  ['Express 5', express],
  ['Express 4', express4],
])('a handler in %s', (_, from) => {
  /** An app whose own answers begin with `host`, and what its error handler was told. */
  let reported: unknown[] = [];
  function serve(basePath: string | undefined, answer: (request: Request) => Promise<Response>) {
    reported = [];
    const app = from();
    app.use(expressHandler(basePath, (request, extras) => answer(toWebRequest(request, extras))));
    app.use((request, response) => void response.send(`host ${request.path}`));
    const report: express.ErrorRequestHandler = (error, _request, response, _next) => {
      reported.push(error);
      response.status(500).send(`host ${String(error)}`);
    };
    return listen(app.use(report));
  }

  it('passes an error to the app, and one that is undefined as an error too', async () => {
    const thrown: unknown[] = [new Error('broken'), undefined];
    const { origin } = await serve('/api', async () => {
      throw thrown.shift();
    });
    for (const message of ['host Error: broken', 'host Error: The handler rejected with nothing']) {
      const response = await fetch(`${origin}/api`);
      expect([response.status, await response.text()]).toEqual([500, message]);
    }
  });

  it('breaks the connection off where the body of an answer fails midway, which is not for the app', async () => {
    let fail = () => {};
    const { port } = await serve(undefined, async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('first'));
          fail = () => controller.error(new Error('midway'));
        },
      });
      return new Response(body);
    });
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).includes('first')) fail();
    });
    await once(socket, 'close');
    // Neither the chunk that completes an answer nor one of the app follows.
    expect(Buffer.concat(chunks).toString()).toMatch(/\r\n5\r\nfirst\r\n$/);
    expect(reported).toEqual([]);
  });
});
