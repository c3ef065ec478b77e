import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../toolkit/test/loopback.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { createAuth } from '../../src/auth.ts';
import { authErrorHandler } from '../../src/express/auth-error-handler.ts';
import { requireApiKey, requireAuthOrApiKey } from '../../src/express/guards.ts';
import { claimsOf } from '../../src/express/index.ts';
import { kyselyApiKeys, migrateAuth } from '../../src/kysely/index.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { KEY } from '../tokens/forge-token.ts';

describe.each(databaseServers)('API keys over HTTP on $name', ({ skipped, create }) => {
  async function serve() {
    const database = await create();
    onTestFinished(() => database.remove());
    const db = database.open();
    await migrateAuth(db);
    const clock = fakeClock();
    const auth = createAuth({ signingKey: KEY, cookiePath: '/api', clock, logger: { error() {} } });
    const apiKeys = kyselyApiKeys(db, { auth, prefix: 'acme' });
    const either = requireAuthOrApiKey(auth, apiKeys.validator);
    const app = express();
    app.post('/api/keys', either, express.json(), async (req, res) => {
      res.status(201).json(await apiKeys.create(claimsOf(req), req.body));
    });
    app.get('/api/keys', either, async (req, res) => {
      res.json(await apiKeys.list(claimsOf(req)));
    });
    app.delete('/api/keys/:id', either, async (req, res) => {
      res.sendStatus((await apiKeys.revoke(claimsOf(req), String(req.params.id))) ? 204 : 404);
    });
    app.get('/api/v1/me', requireApiKey(apiKeys.validator, { auth }), (req, res) => {
      res.json(claimsOf(req));
    });
    app.use(authErrorHandler());
    const { origin: url } = await listen(app);

    async function call(method: string, path: string, credential: object, body?: unknown) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...credential },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
      };
    }
    const sessionOf = async (uid: string, scopes: string[]) => {
      const token = await auth.issueAccessToken(uid, scopes);
      return { cookie: `access_token=${token}` };
    };
    const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
    return { call, sessionOf, withKey, clock, apiKeys, database, db };
  }

  test.skipIf(skipped)('are created, used, listed, revoked, and refused from then on', async () => {
    const { call, sessionOf, withKey, apiKeys } = await serve();
    const ada = await sessionOf('ada', ['orders:read']);
    const made = await call('POST', '/api/keys', ada, { name: 'Deploys', scopes: ['orders:read'] });
    expect(made).toMatchObject({ status: 201, body: { uid: 'ada', scopes: ['orders:read'] } });
    const me = await call('GET', '/api/v1/me', withKey(made.body.key));
    expect(me).toMatchObject({ status: 200, body: { uid: 'ada', issuedAt: START, credential: 'api_key' } });
    await apiKeys.idle();
    const listed = await call('GET', '/api/keys', ada);
    expect(Object.keys(made.body).filter((name) => /[A-Z]/.test(name))).toEqual([]);
    const { key: _, ...withoutKey } = made.body;
    expect(listed.body).toEqual([{ ...withoutKey, last_used_at: START }]);
    expect((await call('DELETE', `/api/keys/${made.body.id}`, await sessionOf('bob', []))).status).toBe(404);
    expect((await call('DELETE', `/api/keys/${made.body.id}`, ada)).status).toBe(204);
    expect(await call('GET', '/api/v1/me', withKey(made.body.key))).toMatchObject({
      status: 401,
      body: { code: 'token_invalid' },
    });
  });

  test.skipIf(skipped)('expire, are unknown, or cannot be looked up, each with its own answer', async () => {
    const { call, sessionOf, withKey, clock, db } = await serve();
    const input = { name: 'x', expires_at: START + 60 };
    const { body: made } = await call('POST', '/api/keys', await sessionOf('ada', []), input);
    const answerTo = async (key: string) => {
      const { status, body } = await call('GET', '/api/v1/me', withKey(key));
      return [status, body.code];
    };
    expect(await answerTo(generateApiKey('acme').key)).toEqual([401, 'token_invalid']);
    clock.advance(60);
    expect(await answerTo(made.key)).toEqual([401, 'token_expired']);
    await db.schema.dropTable('api_keys').execute();
    expect(await answerTo(made.key)).toEqual([503, 'unavailable']);
  });
});
