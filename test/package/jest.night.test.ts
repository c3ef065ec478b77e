import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Installation, installPackages } from './installed-packages.ts';

const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

/** A test as a host writes it for Jest, which loads CommonJS alone. */
const TEST = `
const { createServer } = require('node:http');
const { createAuth } = require('@acme/auth');
const { authErrorHandler, claimsOf, requireAuth } = require('@acme/auth/express');
const { createWebhooks, memoryStorage } = require('@acme/webhooks');
const { createAdminPanel } = require('@acme/webhooks/admin');
const { createTestReceiver } = require('@acme/webhooks/testing');
const express = require('express');

const listen = (app) => new Promise((resolve) => {
  const server = createServer(app).listen(0, '127.0.0.1', () => resolve(server));
});

test('a route is guarded', async () => {
  const auth = createAuth({ signingKey: 'a-key-for-this-test-alone-32-bytes-or-more' });
  const app = express();
  app.get('/me', requireAuth(auth), (request, response) => response.json({ uid: claimsOf(request).uid }));
  app.use(authErrorHandler());
  const server = await listen(app);
  try {
    const url = 'http://127.0.0.1:' + server.address().port + '/me';
    const token = await auth.issueAccessToken('42', ['admin']);
    const statuses = [];
    for (const headers of [{}, { cookie: 'access_token=' + token }])
      statuses.push((await fetch(url, { headers })).status);
    expect(statuses).toEqual([401, 200]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.each(['real', 'faked', 'legacy'])('an event is delivered with %s timers', async (timers) => {
  if (timers === 'faked') jest.useFakeTimers();
  if (timers === 'legacy') jest.useFakeTimers({ legacyFakeTimers: true });
  const receiver = await createTestReceiver();
  const webhooks = createWebhooks({ storage: memoryStorage(), egress: { allowedAddresses: ['127.0.0.1/32'] } });
  await webhooks.start();
  try {
    const { secret } = await webhooks.create({ url: receiver.url, events: ['user.*'] });
    await webhooks.dispatch('user.registered', { id: 42 });
    await webhooks.drain();
    expect(receiver.requests.map(({ event, data }) => ({ event, data }))).toEqual([
      { event: 'user.registered', data: { id: 42 } },
    ]);
    await receiver.requests[0].verify(secret);
    receiver.respond(503).times(1);
    await webhooks.dispatch('user.registered', { id: 43 });
    await webhooks.drain();
    // Legacy timers leave the date alone, so that no retry becomes due.
    if (timers !== 'faked') return;
    jest.advanceTimersByTime(120_000);
    await webhooks.drain();
    expect(receiver.requests.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  } finally {
    await webhooks.close();
    await receiver.close();
    jest.useRealTimers();
  }
});

test('the panel is served', async () => {
  const panel = createAdminPanel({ apiPath: '/api/admin/webhooks' });
  const get = (path) => panel(new Request('http://127.0.0.1' + path));
  const page = await (await get('/admin/webhooks')).text();
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(page);
  expect((await get(script)).status).toBe(200);
});
`;

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: true });
});
afterAll(() => installation.remove());

it('lets Jest guard a route, deliver events with real and faked timers, and serve the panel', () => {
  writeFileSync(join(installation.folder, 'app.test.js'), TEST);
  const run = spawnSync(process.execPath, [JEST, '--ci', '--runInBand', '--rootDir', installation.folder], {
    cwd: installation.folder,
    encoding: 'utf8',
  });
  expect(run.stderr).toContain('Tests:       5 passed, 5 total');
  expect(run.status).toBe(0);
});
