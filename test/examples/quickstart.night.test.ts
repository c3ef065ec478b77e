import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endDemo, finished, running, startDemo } from '../../examples/quickstart/test/demo-process.ts';

const CHECK_TIMEOUT_MS = 240_000;
/** A start is three processes, one after the other, each with a loader for TypeScript. */
const START_TIMEOUT_MS = 240_000;
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let folder: string;
/** Where the demo and the check keep their rows, one after the other. */
let databaseFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acme-quickstart-test-'));
  databaseFile = join(folder, 'demo.db');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a demo that cannot start', { timeout: START_TIMEOUT_MS }, () => {
  it.each(['PORT', 'RECIPIENT_PORT'])(
    'says that %s is in use and how to choose another',
    async (variable) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      try {
        const { code, output } = await finished(startDemo([], { [variable]: String(port) }));
        expect(output).toContain(`Port ${port} on 127.0.0.1 is in use`);
        expect(output).toContain(`${variable}=0 npm run demo`);
        expect(code).toBe(1);
      } finally {
        other.close();
      }
    },
  );

  it('says that the database file of a check cannot be opened', async () => {
    const file = join(folder, 'missing', 'check.db');
    const { code, output } = await finished(startDemo(['--check'], { DATABASE_FILE: file }));
    expect(output).toContain(`The database file ${file} cannot be opened`);
    expect(code).toBe(1);
  });

  it('refuses a database file that is a folder', async () => {
    const { code, output } = await finished(startDemo([], { DATABASE_FILE: folder }));
    expect(output).toContain(`The database file ${folder} cannot be opened`);
    expect(output).toContain('DATABASE_FILE=');
    expect(code).toBe(1);
  });

  it('refuses a database file that is no database, and leaves it as it is', async () => {
    const file = fileURLToPath(import.meta.url);
    const before = await readFile(file, 'utf8');
    const { code, output } = await finished(startDemo([], { DATABASE_FILE: file }));
    expect(output).toContain(`The database file ${file} cannot be opened`);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(code).toBe(1);
  });

  it.each([
    [{ PORT: '65536' }, 'PORT must be a port'],
    [{ SIGNING_KEY: 'short' }, 'SIGNING_KEY cannot be used'],
  ])('names the variable that cannot be used: %j', async (env, message) => {
    const { code, output } = await finished(startDemo([], env));
    expect(output).toContain(message);
    expect(code).toBe(1);
  });
});

describe('npm run demo', () => {
  let demo: ChildProcess;
  let guide: string;
  let app: string;
  let recipient: string;

  beforeAll(async () => {
    demo = startDemo(['--verbose'], { DATABASE_FILE: databaseFile });
    ({ guide, app, recipient } = await running(demo));
  }, START_TIMEOUT_MS);
  afterAll(() => endDemo(demo));

  it('serves the admin panel and its log-in page', async () => {
    const panel = await fetch(`${app}/admin/webhooks`);
    expect(panel.status).toBe(200);
    expect(await panel.text()).toContain('data-login-url="/admin/webhooks/login"');
    const logIn = await fetch(`${app}/admin/webhooks/login?return_to=%2Fadmin%2Fwebhooks`);
    expect(logIn.status).toBe(200);
    expect(logIn.headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it('answers what it cannot read as the mistake of the client that it is', async () => {
    const post = async (path: string, headers: Record<string, string>, body: string) =>
      fetch(`${app}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    const credentials = JSON.stringify({ login: 'customer', password: 'demo password of customer' });
    const logIn = await post('/api/auth/login', {}, credentials);
    const cookie = logIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const answers = [
      await post('/api/orders', { cookie }, '{"item":'),
      await post('/api/orders', { cookie, 'content-encoding': 'gzip' }, 'no gzip'),
      await post('/api/orders', { cookie, 'content-encoding': 'unheard-of' }, '{}'),
      await post('/api/orders', { cookie }, JSON.stringify({ item: 'a\u0000b', quantity: 1 })),
      await fetch(`${app}/api/orders/%E0%A4%A`, { method: 'DELETE', headers: { cookie } }),
      await fetch(`${app}/api/orders/1e0`, { method: 'DELETE', headers: { cookie } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 415, 422, 400, 404]);
  });

  it.skipIf(!hasCurl)('prints commands that work as they are (needs curl)', async () => {
    const commands = guide.split('\n').filter((line) => /^ {3}curl /.test(line));
    expect(commands).toHaveLength(8);
    const script = commands.join('\n').replaceAll('/tmp/', `${folder}/`);
    const answers = (await shell(script)).split('\n').filter((line) => line !== '');
    const codes = answers.map((answer) => JSON.parse(answer).code);
    // In order: log-in, log-in, order, webhooks, deliveries, refused address, refused customer.
    expect(codes.slice(0, 5)).toEqual(Array(5).fill(undefined));
    expect(codes.slice(5)).toEqual(['url_not_public', 'token_invalid']);
    await expect
      .poll(async () => (await fetch(`${recipient}/received.json`)).text(), { timeout: 60_000 })
      .toContain('"signature":"verified"');
  });

  it('escapes what arrived on its page', async () => {
    const hostile = '<script>alert("&\'")</script>';
    const headers = { 'x-webhook-event': hostile };
    const answer = await fetch(`${recipient}/hooks/${encodeURIComponent(hostile)}`, {
      method: 'POST',
      headers,
      body: hostile,
    });
    expect(answer.status).toBe(401);
    const response = await fetch(`${app}/try`);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    const page = await response.text();
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('alert("');
    // In the title, the address, a verification step, a header and the body.
    expect(page.split('&lt;script&gt;alert(&quot;&amp;&#39;&quot;)&lt;/script&gt;')).toHaveLength(7);
  });

  it('refuses to let another site change the recipient', async () => {
    const body = JSON.stringify({ mode: 'fails' });
    const change = (origin: string) =>
      fetch(`${app}/demo/recipient`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body,
      });
    expect((await change('http://another.example')).status).toBe(403);
    expect((await change(app)).status).toBe(204);
    expect(await (await fetch(`${recipient}/answers/shop`)).json()).toEqual({ answer: { status: 503 } });
  });

  it('ends in order when asked to, and its children with it', async () => {
    expect((await fetch(`${app}/`)).status).toBe(200);
    expect((await fetch(`${recipient}/received.json`)).status).toBe(200);
    demo.kill('SIGTERM');
    expect((await finished(demo)).code).toBe(0);
    await expect(fetch(`${app}/`)).rejects.toThrow();
    await expect(fetch(`${recipient}/`)).rejects.toThrow();
  });
});

describe('npm run demo, without --verbose', { timeout: START_TIMEOUT_MS }, () => {
  it('prints eight lines with one address and one log-in', async () => {
    const demo = startDemo([], { DATABASE_FILE: databaseFile });
    const ended = finished(demo);
    await new Promise((resolve) => {
      demo.stdout?.on('data', (chunk) => String(chunk).includes('Ctrl-C ends it.') && resolve(undefined));
    });
    await endDemo(demo);
    const { output } = await ended;
    expect(output.split('\n').length - 1).toBe(8);
    expect(output.match(/http:\/\/\S+/g)).toHaveLength(1);
    expect(output.match(/password "[^"]+"/g)).toEqual(['password "demo password of admin"']);
    expect(output).toContain('npm run demo -- --verbose');
  });
});

// The pipeline also runs the check on a database of its own.
describe('npm run demo -- --check', () => {
  it('holds every step on the database of an earlier demo', { timeout: CHECK_TIMEOUT_MS }, async () => {
    const { code, output } = await finished(startDemo(['--check'], { DATABASE_FILE: databaseFile }));
    expect(output).toMatch(/^(\d+) steps held, 0 failed/m);
    expect(output).not.toMatch(/FAILED/);
    expect(output).not.toMatch(/whsec_[A-Za-z0-9+/]/);
    expect(code).toBe(0);
  });
});

function shell(script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', script], (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
