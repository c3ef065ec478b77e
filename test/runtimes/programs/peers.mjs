// Every adapter beside the installed release of its peer; prints what passed. Takes POSTGRES_URL, REDIS_URL and NAME.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createAuth, createSessions, memorySessionStore } from '@acme/auth';
import * as authExpress from '@acme/auth/express';
import * as authFastify from '@acme/auth/fastify';
import * as authHono from '@acme/auth/hono';
import { kyselySessionStore, migrateAuth } from '@acme/auth/kysely';
import * as authNest from '@acme/auth/nest';
import { createWebhooks, memoryStorage } from '@acme/webhooks';
import { createAdminApi } from '@acme/webhooks/admin';
import { bullmqQueue } from '@acme/webhooks/bullmq';
import * as express from '@acme/webhooks/express';
import * as fastify from '@acme/webhooks/fastify';
import * as hono from '@acme/webhooks/hono';
import { kyselyStorage, migrateWebhooks } from '@acme/webhooks/kysely';
import { pgBossQueue } from '@acme/webhooks/pg-boss';
import { createTestReceiver } from '@acme/webhooks/testing';
import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import createExpress from 'express';
import createFastify from 'fastify';
import { Hono } from 'hono';
import { Redis } from 'ioredis';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import * as pgBoss from 'pg-boss';

const { POSTGRES_URL, REDIS_URL, NAME } = process.env;
const signingKey = 'a-key-for-this-test-alone-32-bytes-or-more';
const auth = createAuth({ signingKey, scopes: ['admin:webhooks'] });
const webhooks = createWebhooks({ storage: memoryStorage() });
const api = createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) });
const createTestSessions = (store) =>
  createSessions({
    auth,
    store,
    verifyCredentials: async ({ login }) => (login === 'ada' ? { uid: '7' } : null),
    loadUser: async () => ({ scopes: ['admin:webhooks'] }),
  });
const sessions = createTestSessions(memorySessionStore());

await passes('express', async () => {
  const app = createExpress();
  app.use(authExpress.mountSessions(sessions));
  app.use(express.mount(api));
  app.get('/me', authExpress.requireAuth(auth), (request, response) => {
    response.json({ uid: authExpress.claimsOf(request).uid });
  });
  app.use(authExpress.authErrorHandler());
  const server = createServer(app);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  await assertGuarded((path, init) => fetch(`http://127.0.0.1:${server.address().port}${path}`, init));
  server.closeAllConnections();
  server.close();
});

await passes('fastify', async () => {
  const app = createFastify();
  app.setErrorHandler(authFastify.authErrorHandler());
  app.register(authFastify.mountSessions(sessions));
  app.register(fastify.mount(api));
  app.get('/me', { onRequest: authFastify.requireAuth(auth) }, async (request) => {
    return { uid: authFastify.claimsOf(request).uid };
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  await assertGuarded((path, init) => fetch(`${url}${path}`, init));
  app.server.closeAllConnections();
  await app.close();
});

await passes('hono', async () => {
  const app = new Hono();
  app.onError(authHono.authErrorHandler());
  app.use(authHono.mountSessions(sessions, { clientIp: () => '127.0.0.1' }));
  app.use(hono.mount(api));
  app.get('/me', authHono.requireAuth(auth), (c) => c.json({ uid: c.var.claims.uid }));
  await assertGuarded(async (path, init) => app.fetch(new Request(`http://127.0.0.1${path}`, init)));
});

await passes('nest', async () => {
  class Me {
    me(request) {
      return { uid: authNest.claimsOf(request).uid };
    }
  }
  // Decorators as functions: this file is run as it stands.
  const route = [Me.prototype, 'me', Object.getOwnPropertyDescriptor(Me.prototype, 'me')];
  Controller('me')(Me);
  Get()(...route);
  UseGuards(authNest.requireAuth(auth))(...route);
  Req()(Me.prototype, 'me', 0);
  class App {}
  Module({ controllers: [Me] })(App);
  const app = await NestFactory.create(App, { logger: false });
  app.use(authExpress.mountSessions(sessions));
  app.use(express.mount(api));
  app.useGlobalFilters(new authNest.AuthExceptionFilter());
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address();
  await assertGuarded((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init));
  app.getHttpServer().closeAllConnections();
  await app.close();
});

const schema = NAME;
const database = new Kysely({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: POSTGRES_URL }) }),
});
await passes('kysely', async () => {
  await migrateAuth(database, { schema });
  await migrateWebhooks(database, { schema });
  const stored = createTestSessions(kyselySessionStore(database, { schema }));
  await stored.start();
  assert.ok((await logIn((path, init) => stored.handler(new Request(`http://127.0.0.1${path}`, init)))).ok);
  const receiver = await createTestReceiver();
  const engine = createWebhooks({
    storage: kyselyStorage(database, { schema }),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
  });
  await engine.start();
  const { secret } = await engine.create({ url: receiver.url, events: ['order.*'] });
  await database
    .transaction()
    .execute((transaction) => engine.dispatch('order.created', { id: 7 }, { transaction }));
  await engine.drain();
  assert.equal(receiver.requests.length, 1);
  await receiver.requests[0].verify(secret);
  await engine.close();
  await receiver.close();
});
await database.schema.dropSchema(schema).ifExists().cascade().execute();

await passes('pg-boss', async () => {
  const PgBoss = pgBoss.PgBoss ?? pgBoss.default;
  const boss = new PgBoss({ connectionString: POSTGRES_URL, schema });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await assertDelivered(memoryStorage(), () => pgBossQueue({ boss }));
  await boss.stop({ graceful: false, close: true });
});
await database.schema.dropSchema(schema).ifExists().cascade().execute();
await database.destroy();

await passes('bullmq', async () => {
  const connection = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
  await assertDelivered(memoryStorage(), () => bullmqQueue({ connection, prefix: NAME }));
  const keys = await connection.keys(`${NAME}:*`);
  if (keys.length > 0) await connection.del(...keys);
  await connection.quit();
});
await webhooks.close();

async function passes(name, run) {
  await run();
  console.log(name);
}

async function assertGuarded(send) {
  assert.deepEqual([(await send('/me')).status, (await send('/api/admin/webhooks')).status], [401, 401]);
  const login = await logIn(send);
  assert.ok(login.ok, String(login.status));
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const me = await send('/me', { headers: { cookie } });
  assert.deepEqual([me.status, await me.json()], [200, { uid: '7' }]);
  const listed = await send('/api/admin/webhooks', { headers: { cookie } });
  assert.deepEqual([listed.status, (await listed.json()).total], [200, 0]);
}

function logIn(send) {
  return send('/api/admin/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'ada', password: 'a password' }),
  });
}

/** Dispatches in one engine and delivers in another, which the queue has to wake. */
async function assertDelivered(storage, createQueue) {
  const failures = [];
  const receiver = await createTestReceiver();
  const createEngine = (queue) =>
    createWebhooks({
      storage,
      queue,
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      onError: (error, { source }) => failures.push(`${source}: ${error.message}`),
    });
  const { queue, woken } = watched(createQueue());
  const worker = createEngine(queue);
  await worker.start();
  const { secret } = await worker.create({ url: receiver.url, events: ['order.*'] });
  const dispatcher = createEngine(createQueue());
  await dispatcher.dispatch('order.created', { id: 7 });
  await woken;
  await receiver.received(1, { timeoutMs: 20_000 });
  await receiver.requests[0].verify(secret);
  await dispatcher.close();
  await worker.close();
  await receiver.close();
  assert.deepEqual(failures, []);
}

/** A queue, and a promise of the first wake-up that it delivers. */
function watched(inner) {
  let wake;
  const woken = new Promise((resolve, reject) => {
    const timer = setTimeout(reject, 20_000, new Error('the queue woke nobody'));
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const start = (poll, report) =>
    inner.start(() => {
      wake();
      return poll();
    }, report);
  return { queue: { start, enqueue: (jobs) => inner.enqueue(jobs), stop: () => inner.stop() }, woken };
}
