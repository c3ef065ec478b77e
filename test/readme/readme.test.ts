import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuth, generateApiKey } from '@acme/auth';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { codeBlocks } from './code-blocks.ts';

const blocks = codeBlocks();
const bin = (name: string) => join(repository, 'node_modules/.bin', name);

describe('the code in the READMEs', () => {
  let folder: string;
  let child: ChildProcess | undefined;

  beforeAll(() => {
    // Inside the repository, so that the packages are found as a workspace finds them.
    folder = mkdtempSync(join(repository, 'test/readme/blocks-'));
    for (const [index, { code }] of blocks.entries()) writeFileSync(join(folder, `block-${index}.ts`), code);
    // Nest has decorators of parameters, which the standard ones do not know.
    const compilerOptions = { experimentalDecorators: true };
    const tsconfig = { extends: join(repository, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  });
  afterEach(async () => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    child = undefined;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the block under that heading in a process of its own. */
  function run(
    title: string,
    env: Record<string, string> = {},
    adapt = (code: string) => code,
  ): ChildProcess {
    const index = blocks.findIndex((block) => block.title === title);
    const code = blocks[index]?.code;
    if (code === undefined) throw new Error(`no README has a block under "${title}"`);
    writeFileSync(join(folder, `block-${index}.ts`), adapt(code));
    // One process: the command of tsx would start another, which outlives it.
    child = spawn(process.execPath, ['--import', 'tsx', join(folder, `block-${index}.ts`)], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return child;
  }

  async function serve(
    title: string,
    env: Record<string, string>,
    adapt?: (code: string) => string,
  ): Promise<string> {
    const port = await freePort();
    const process_ = run(title, { ...env, PORT: String(port) }, adapt);
    await listening(process_, port);
    return `http://127.0.0.1:${port}`;
  }

  it('compiles under the strictest settings', () => {
    const { stdout } = spawnSync(bin('tsc'), ['--noEmit', '--project', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  }, 240_000);

  it('guards routes', async () => {
    const base = await serve('README.md, Guard your routes', {
      SIGNING_KEY: randomBytes(32).toString('base64'),
    });
    expect((await fetch(`${base}/api/me`)).status).toBe(401);
    const login = await fetch(`${base}/api/login`, { method: 'POST' });
    expect(login.status).toBe(204);
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = await fetch(`${base}/api/me`, { headers: { cookie } });
    expect([me.status, await me.json()]).toEqual([200, { uid: '42' }]);
  });

  it.each(['packages/auth/README.md, Minimal app'])(
    'logs in, polls, lists and logs out: %s',
    async (title) => {
      const env = {
        AUTH_SIGNING_KEY: randomBytes(32).toString('base64url'),
        DATABASE_FILE: join(folder, 'sessions.db'),
      };
      const base = await serve(title, env);
      const cookies = new Map<string, string>();
      const send = async (method: string, path: string, body?: object) => {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const text = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await fetch(`${base}/api/admin${path}`, { method, headers: { cookie }, ...text });
        for (const [pair = ''] of response.headers.getSetCookie().map((line) => line.split(';'))) {
          const [name = '', value = ''] = pair.split('=');
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        return response;
      };
      expect((await send('POST', '/auth/login', { login: 'ada', password: 'wrong' })).status).toBe(401);
      const right = { login: 'ada', password: 'correct horse battery staple' };
      const login = await send('POST', '/auth/login', right);
      expect([login.status, await login.json()]).toMatchObject([200, { uid: '7', scopes: ['admin'] }]);
      cookies.delete('access_token');
      expect((await send('GET', '/me')).status).toBe(401);
      expect((await send('POST', '/auth/status')).status).toBe(200);
      const me = await send('GET', '/me');
      expect([me.status, await me.json()]).toEqual([200, { uid: '7' }]);
      expect(await (await send('GET', '/auth/sessions')).json()).toMatchObject({
        sessions: [{ current: true }],
      });
      const accessToken = cookies.get('access_token') ?? '';
      expect((await send('POST', '/auth/logout')).status).toBe(204);
      // The browser stays known: the cookie lets nobody in.
      expect([...cookies.keys()]).toEqual(['known_device']);
      cookies.set('access_token', accessToken);
      expect((await send('GET', '/me')).status).toBe(401);
    },
  );

  it('logs in with a password', async () => {
    const env = { AUTH_SIGNING_KEY: randomBytes(32).toString('base64url') };
    const base = await serve('packages/auth/docs/cookies.md, A log-in of your own', env);
    const login = (password: string) =>
      fetch(`${base}/api/admin/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: 'ada', password }),
      });
    expect((await login('wrong')).status).toBe(401);
    const cookie =
      (await login('correct horse battery staple')).headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = await fetch(`${base}/api/admin/me`, { headers: { cookie } });
    expect([me.status, await me.json()]).toEqual([200, { uid: '7' }]);
  });

  it('creates, lists, takes and revokes API keys, in snake_case', async () => {
    const signingKey = randomBytes(32).toString('base64url');
    const env = { AUTH_SIGNING_KEY: signingKey, DATABASE_FILE: join(folder, 'keys.db') };
    const base = await serve('packages/auth/docs/api-keys.md, Keys in your database', env);
    const token = await createAuth({ signingKey, cookiePath: '/api' }).issueAccessToken('7', ['orders:read']);
    const cookie = `access_token=${token}`;
    const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
    const created = await fetch(`${base}/api/keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Deploys', scopes: ['orders:read'], expires_at: expiresAt }),
    });
    expect(created.status).toBe(201);
    const { key, ...listed } = (await created.json()) as { key: string; id: string };
    expect(Object.keys(listed).sort()).toEqual([
      'created_at',
      'display_prefix',
      'expires_at',
      'id',
      'last_used_at',
      'name',
      'revoked_at',
      'scopes',
      'uid',
    ]);
    const list = await fetch(`${base}/api/keys`, { headers: { cookie } });
    expect(await list.json()).toEqual({ keys: [{ ...listed, expires_at: expiresAt }] });
    const me = () => fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    expect(await (await me()).json()).toEqual({ uid: '7' });
    const revoked = await fetch(`${base}/api/keys/${listed.id}`, { method: 'DELETE', headers: { cookie } });
    expect([revoked.status, (await me()).status]).toEqual([204, 401]);
  });

  it('makes a first key with nobody logged in, which the admin API of webhooks takes', async () => {
    const env = {
      AUTH_SIGNING_KEY: randomBytes(32).toString('base64url'),
      DATABASE_FILE: join(folder, 'first-key.db'),
    };
    const making = run('packages/auth/docs/api-keys.md, The first key', env);
    const [key, [code]] = await Promise.all([firstLine(making), once(making, 'exit')]);
    expect([key, code]).toEqual([expect.stringMatching(/^adm_\w{49}$/), 0]);
    const base = await serve('packages/auth/docs/api-keys.md, Keys without a guard', env);
    const ask = (headers: Record<string, string>) => fetch(`${base}/api/admin/webhooks`, { headers });
    const answer = await ask({ authorization: `Bearer ${key}` });
    expect([answer.status, await answer.json()]).toMatchObject([200, { total: 0 }]);
    expect((await ask({})).status).toBe(401);
    const unknown = await ask({ authorization: `Bearer ${generateApiKey('adm').key}` });
    expect([unknown.status, await unknown.json()]).toMatchObject([401, { code: 'token_invalid' }]);
  }, 240_000);

  it('consumes a one-time token', async () => {
    const env = {
      AUTH_SIGNING_KEY: randomBytes(32).toString('base64url'),
      DATABASE_FILE: join(folder, 'once.db'),
    };
    const process_ = run('packages/auth/docs/one-time-tokens.md, One-time tokens', env);
    const [first, [code]] = await Promise.all([firstLine(process_), once(process_, 'exit')]);
    expect([first, code]).toEqual([expect.stringMatching(/^64 \d{10}$/), 0]);
  }, 240_000);

  it('resets a password from the request to the log-in', async () => {
    const env = {
      AUTH_SIGNING_KEY: randomBytes(32).toString('base64url'),
      DATABASE_FILE: join(folder, 'reset.db'),
    };
    const base = await serve('packages/auth/docs/password-reset.md, Password reset', env, (code) =>
      code
        .replace(
          /declare const mailer.*/,
          'const mailer = { send: async (to: string, text: string) => console.log(to, text) };',
        )
        .replace(
          'await migrateAuth(db);',
          `$&
          await db.schema.createTable('users').addColumn('uid', 'text').addColumn('login', 'text')
            .addColumn('email', 'text').addColumn('password_hash', 'text').execute();
          await db.insertInto('users').values({
            uid: '7', login: 'ada', email: 'ada@app.example', password_hash: await hashPassword('the old one'),
          }).execute();`,
        )
        .replace(
          'const server =',
          `const other = await tokens.issue({ uid: '7', purpose: 'verify_email' });
          app.get('/api/other-token', async (_, res) => {
            await tokens.validate(other.token, { purpose: 'verify_email' });
            res.sendStatus(200);
          });
          app.use(authErrorHandler());
          $&`,
        ),
    );
    const post = (path: string, body: object) =>
      fetch(`${base}/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const logIn = async (password: string) => (await post('auth/login', { login: 'ada', password })).status;
    expect(await logIn('the old one')).toBe(200);
    const mail = child === undefined ? '' : firstLine(child);
    const requests = [
      await post('password-reset/request', { login: 'nobody' }),
      await post('password-reset/request', { login: 'ada' }),
    ];
    expect(requests.map(({ status }) => status)).toEqual([202, 202]);
    const [, token] = /^ada@app\.example .*\/reset-password#([0-9a-f]{64})$/.exec(await mail) ?? [];
    const reset = () => post('password-reset', { token, password: 'the new one' });
    const otherToken = async () => (await fetch(`${base}/api/other-token`)).status;
    expect(await otherToken()).toBe(200);
    expect((await reset()).status).toBe(204);
    expect((await reset()).status).toBe(422);
    expect(await otherToken()).toBe(422);
    expect([await logIn('the old one'), await logIn('the new one')]).toEqual([401, 200]);
  }, 240_000);

  it('takes an API key', async () => {
    const process_ = run('packages/auth/docs/api-keys.md, Keys in a table of your own', { PORT: '0' });
    expect(await firstLine(process_)).toMatch(/^Authorization: Bearer acme_[0-9A-Za-z]{49}$/);
  });

  it.each([
    ['packages/auth/docs/access-tokens.md, Access tokens and signing keys', '7 true '],
    ['packages/auth/docs/passwords.md, Passwords', 'true\n'],
    ['packages/auth/docs/cookies.md, Cookies and cross-site requests', 'access_token=; '],
  ])('runs to its end: %s', async (title, output) => {
    const process_ = run(title, { AUTH_SIGNING_KEY: randomBytes(32).toString('base64url') });
    const errors = textOf(process_);
    const line = firstLine(process_);
    const [code] = await once(process_, 'exit');
    expect([code, await errors]).toEqual([0, '']);
    expect(`${await line}\n`).toContain(output);
  });

  it('dispatches, in a transaction and with an idempotency key', async () => {
    const process_ = run('packages/webhooks/README.md, Dispatching');
    const errors = textOf(process_);
    const [code] = await once(process_, 'exit');
    expect([code, await errors]).toEqual([0, '']);
  });

  it.each([
    'packages/webhooks/README.md, Receiving',
    'packages/webhooks/docs/verifying.md, With the package',
  ])('receives nothing without a secret: %s', async (title) => {
    const process_ = run(title, { WEBHOOK_SECRET: '', PORT: '0' });
    const errors = textOf(process_);
    const [code] = await once(process_, 'exit');
    expect(code).toBe(1);
    expect(await errors).toContain('WEBHOOK_SECRET is not set');
  });

  it('says in its log that the secret is malformed, and goes on answering', async () => {
    const base = await serve('packages/webhooks/README.md, Receiving', { WEBHOOK_SECRET: 'whsec_short' });
    const logged = child?.stderr === null ? [] : once(child?.stderr ?? process.stderr, 'data');
    expect((await fetch(base, { method: 'POST', body: '{}' })).status).toBe(500);
    expect(String(await logged)).toContain('TypeError: The secret must be the text whsec_');
    expect((await fetch(base, { method: 'POST', body: '{}' })).status).toBe(500);
  });

  it('receives what is signed and refuses what is not', async () => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const base = await serve('packages/webhooks/README.md, Receiving', { WEBHOOK_SECRET: secret });
    const id = '0'.repeat(32);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify({ type: 'user.created', timestamp: new Date().toISOString(), data: {} });
    const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    const send = async (header: string) => {
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': header };
      return (await fetch(base, { method: 'POST', headers, body })).status;
    };
    expect(await send(`v1,${signature}`)).toBe(204);
    expect(await send(`v1,${'A'.repeat(43)}=`)).toBe(401);

    const upload = connect(Number(new URL(base).port), '127.0.0.1');
    await once(upload, 'connect');
    upload.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    upload.destroy();
    const tooLarge = await fetch(base, { method: 'POST', body: 'x'.repeat(600_000) }).then(
      ({ status }) => status,
      () => 400,
    );
    expect(tooLarge).toBe(400);
    expect(await send(`v1,${signature}`)).toBe(204);
  });
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

async function textOf({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  if (stderr !== null) for await (const chunk of stderr) text += String(chunk);
  return text;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the process has no output');
  const [chunk] = await once(stdout, 'data');
  return String(chunk).split('\n')[0] ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until the process answers on its port, or fails with what it printed. */
async function listening(process_: ChildProcess, port: number): Promise<void> {
  const errors = textOf(process_);
  for (let attempt = 0; attempt < 2_400; attempt += 1) {
    if (process_.exitCode !== null) throw new Error(await errors);
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(50);
  }
  throw new Error('the process did not listen within 120 s');
}
