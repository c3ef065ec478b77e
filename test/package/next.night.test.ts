import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { filesOf, type PageFile } from '../readme/framework-pages.ts';
import { repository, workspacePackages } from '../structure/workspace-package.ts';

const INSTALL_AND_BUILD_MS = 300_000;
const START_MS = 120_000;
const JSON_BODY = { 'content-type': 'application/json' };

describe('the app of the page about Next, with the packed packages', () => {
  let folder: string;
  let receiver: TestReceiver;
  let server: ChildProcess;
  let origin: string;
  let output = '';
  const password = randomBytes(16).toString('hex');

  beforeAll(async () => {
    receiver = await createTestReceiver();
    folder = mkdtempSync(join(tmpdir(), 'next-app-'));
    cpSync(join(repository, 'test/package/next-app'), folder, { recursive: true });
    cpSync(join(repository, '.npmrc'), join(folder, '.npmrc'));
    for (const { name, code } of filesOf('next').map(forThisTest)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), code);
    }
    for (const { folder: source } of workspacePackages)
      run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], source);
    const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    run('npm', ['install', '--no-save', '--include=dev', ...tarballs.map((name) => `./${name}`)], folder);
    // `next build` loads every route, and with it the keys: any random one will do.
    next(['build']);
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    server = spawn(process.execPath, [NEXT, 'start', '--hostname', '127.0.0.1', '--port', `${port}`], {
      cwd: folder,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    server.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    server.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    await vi.waitFor(() => expect(output).toContain('Ready'), { timeout: START_MS });
  }, INSTALL_AND_BUILD_MS);

  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    await receiver?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('guards a route, and logs in and out with cookies', async () => {
    expect((await post('/api/admin/orders')).status).toBe(401);
    const headers = { ...JSON_BODY, 'sec-fetch-site': 'cross-site' };
    expect((await fetch(`${origin}/api/admin/auth/login`, { method: 'POST', headers })).status).toBe(403);
    const cookie = await logIn();
    expect((await post('/api/admin/orders', cookie)).status).toBe(201);
    expect((await post('/api/admin/auth/logout', cookie)).status).toBeLessThan(300);
  });

  it('delivers what a route dispatches, with the one engine that instrumentation started', async () => {
    const cookie = await logIn();
    expect((await fetch(`${origin}/api/admin/webhooks`)).status).toBe(401);
    const body = JSON.stringify({ url: receiver.url, events: ['order.*'] });
    expect((await post('/api/admin/webhooks', cookie, body)).status).toBe(201);
    expect((await post('/api/admin/orders', cookie)).status).toBe(201);
    // The next sweep is an hour away: only the engine that took the dispatch can have sent it.
    await expect
      .poll(() => receiver.requests.map(({ event, data }) => ({ event, data })))
      .toEqual([{ event: 'order.created', data: { by: '1' } }]);
    expect(output.match(/webhook engine started/g)).toHaveLength(1);
  });

  it('serves the panel with its log-in page and files', async () => {
    for (const path of ['/admin/webhooks', '/admin/webhooks/login']) {
      const page = await (await fetch(origin + path)).text();
      const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
      const file = await fetch(new URL(script, origin + path));
      expect(file.status).toBe(200);
      // Decompressed once, as browsers do.
      expect(await file.text()).toMatch(/^(?:import|const|document|var|let|function|[(!])/);
    }
  });

  async function logIn(): Promise<string> {
    const answer = await post('/api/admin/auth/login', '', JSON.stringify({ login: 'admin', password }));
    expect(answer.status).toBe(200);
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ');
  }

  function post(path: string, cookie = '', body = '{}'): Promise<Response> {
    return fetch(origin + path, { method: 'POST', headers: { ...JSON_BODY, cookie }, body });
  }

  const NEXT = 'node_modules/next/dist/bin/next';

  function next(args: readonly string[]): void {
    run(process.execPath, [NEXT, ...args], folder);
  }

  function run(command: string, args: readonly string[], cwd: string): void {
    execFileSync(command, args, { cwd, env: environment(), stdio: ['ignore', 'ignore', 'pipe'] });
  }

  /** Not that of the test runner, under which Next would build for tests. */
  function environment(): NodeJS.ProcessEnv {
    const { NODE_ENV: _, VITEST: __, ...inherited } = process.env;
    const key = randomBytes(32).toString('base64');
    return {
      ...inherited,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      AUTH_SIGNING_KEY: key,
      ADMIN_PASSWORD: password,
    };
  }
});

/**
 * A file of the page, for a recipient on this machine, and without a sweep that helps a delivery
 * along.
 */
function forThisTest({ name, code }: PageFile): PageFile {
  if (name !== 'lib/webhooks.ts') return { name, code };
  const options = "egress: { allowedAddresses: ['127.0.0.1/32'] }, sweepIntervalMs: 3_600_000,";
  const adapted = code.replace(/egress: .*/, options);
  expect(adapted).toContain(options);
  return { name, code: adapted };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
