import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { FastifyInstance } from 'fastify';
import type { MiddlewareHandler } from 'hono';
import { expect, onTestFinished } from 'vitest';
import { listen } from './loopback.ts';

/** Version 4, installed under a name of its own without declarations: what is used here is the same. */
export const express4: typeof express = createRequire(import.meta.url)('express4');

/** An application of a framework, until the test is over. */
export interface Served {
  /** Sends to a target such as `/api?x=1`. */
  readonly fetch: (target: string, init?: RequestInit) => Promise<Response>;
  /** Absent where no socket is involved. */
  readonly port: number | undefined;
}

/** Headers that a middleware of the host sets on every answer, before anything of ours runs. */
export type HeadersBefore = Readonly<Record<string, string>>;

export async function serveListener(listener: RequestListener): Promise<Served> {
  const { origin, port } = await listen(listener);
  return { port, fetch: (target, init) => fetch(origin + target, init) };
}

/** @param create of version 4 or 5 */
export function expressWith(before: HeadersBefore, create: typeof express = express): express.Express {
  const first: RequestHandler = (_request, response, next) => {
    response.set(before);
    next();
  };
  return create().use(first);
}

/** That Express 4 and 5 hear at once of what was put into them without its mount. */
export async function expectMissedByExpress(handler: unknown, message: RegExp): Promise<void> {
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(500).send(error.message);
  };
  for (const create of [express4, express]) {
    const { origin } = await listen(create().use(handler as RequestHandler, onError));
    const response = await fetch(origin, { signal: AbortSignal.timeout(5_000) });
    expect([response.status, await response.text()]).toEqual([500, expect.stringMatching(message)]);
  }
}

export async function serveFastify(app: FastifyInstance, before: HeadersBefore): Promise<Served> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(before);
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  return { port: Number(new URL(origin).port), fetch: (target, init) => fetch(origin + target, init) };
}

/** In Hono; a middleware before it may have set the same headers. */
export const honoHeaders =
  (before: HeadersBefore): MiddlewareHandler =>
  async (c, next) => {
    for (const [name, value] of Object.entries(before)) c.header(name, value, { append: true });
    await next();
  };
