import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../readme/free-port.ts';
import { repository } from '../structure/workspace-package.ts';

/** Two examples that print what they were started with. */
const START = `const { ADMIN_PASSWORD: password, AUTH_SIGNING_KEY: key } = process.env;
console.log(JSON.stringify({ password, isKeySet: Boolean(key) }));`;
const README = { shop: '| `ADMIN_PASSWORD` | x |\n| `DATABASE_URL` | x |', queue: '| `REDIS_URL` | x |' };
/** What a lock file says of a package that npm copies. */
const COPY = {
  'node_modules/@acme/webhooks': { version: '1.0.0', resolved: 'file:../../packages/webhooks' },
};

/** Of a test: each output takes npm twice, and on a busy machine npm takes its time. */
const PATIENCE_MS = 90_000;

describe('npm run example', { timeout: PATIENCE_MS }, () => {
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'run-example-'));
    for (const path of ['examples/run-example.mjs', 'examples/is-built.mjs'])
      cpSync(join(repository, path), join(root, path));
    mkdirSync(join(root, 'node_modules'));
    mkdirSync(join(root, 'packages/toolkit/src'), { recursive: true });
    for (const name of ['auth', 'webhooks']) {
      write(`packages/${name}/src/index.ts`, '');
      const about = {
        name: `@acme/${name}`,
        version: '1.0.0',
        files: ['dist', '!dist/meta.json', 'vectors'],
      };
      write(`packages/${name}/package.json`, JSON.stringify(about));
      for (const file of ['index.js', 'index.d.ts']) write(`packages/${name}/dist/${file}`, '');
    }
    const compose = `services: { any: { ports: ['127.0.0.1:${await freePort()}:1'] } }\n`;
    for (const [name, readme] of Object.entries(README)) {
      write(`examples/${name}/README.md`, readme);
      write(`examples/${name}/compose.yaml`, compose);
      write(`examples/${name}/.npmrc`, 'install-links=true');
      write(`examples/${name}/start.mjs`, START);
      const dependencies = { '@acme/webhooks': 'file:../../packages/webhooks' };
      const about = { name, version: '1.0.0', scripts: { start: 'node start.mjs' }, dependencies };
      write(`examples/${name}/package.json`, JSON.stringify(about));
      const lock = { name, version: '1.0.0', lockfileVersion: 3, packages: { '': about, ...COPY } };
      write(`examples/${name}/package-lock.json`, JSON.stringify(lock));
    }
    write('bin/docker', '#!/bin/sh\necho "docker $*"\n', 0o755);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('prints the password of an example with a log-in, also where the variable is empty', () => {
    for (const environment of [{}, { ADMIN_PASSWORD: '' }]) {
      const output = outputOf('shop', environment);
      const [, password] = /^Log in as admin with the password (\S+)$/m.exec(output) ?? [];
      expect(password).toHaveLength(12);
      expect(output).toContain(JSON.stringify({ password, isKeySet: true }));
    }
    const output = outputOf('shop', { ADMIN_PASSWORD: 'mine' });
    expect(output).not.toContain('Log in as admin');
    expect(output).toContain('"password":"mine"');
  });

  it('prints no password for an example without a log-in', () => {
    expect(outputOf('queue')).not.toContain('Log in as admin');
  });

  it('starts the services unless the address of another one is given, in a variable of the example', () => {
    const started = 'docker compose up';
    expect(outputOf('shop')).toContain(started);
    expect(outputOf('shop', { DATABASE_URL: 'postgres://127.0.0.1/x' })).not.toContain(started);
    expect(outputOf('queue', { DATABASE_URL: 'postgres://127.0.0.1/x' })).toContain(started);
    expect(outputOf('queue', { REDIS_URL: 'redis://127.0.0.1' })).not.toContain(started);
  });

  it('installs again only after the lock file, the settings or a package it copies was changed', {
    timeout: 240_000,
  }, () => {
    outputOf('queue');
    expect(existsSync(join(root, 'examples/queue/node_modules/@acme/webhooks/dist/index.js'))).toBe(true);
    // Of an install, only the file that npm writes last matters here.
    write('quick/npm', '#!/bin/sh\nexec touch node_modules/.package-lock.json\n', 0o755);
    const PATH = ['quick', 'bin'].map((folder) => join(root, folder) + delimiter).join('') + process.env.PATH;
    const isInstalled = () => outputOf('queue', { PATH }).includes('npm ci');
    expect(isInstalled()).toBe(false);
    for (const path of ['packages/webhooks/dist/panel/page.js', 'packages/webhooks/vectors']) {
      write(path, '');
      expect([path, isInstalled(), isInstalled()]).toEqual([path, true, false]);
    }
    write('packages/auth/dist/index.js', '');
    write('packages/webhooks/tests.md', '');
    expect(isInstalled()).toBe(false);
    for (const path of ['examples/queue/package-lock.json', 'examples/queue/.npmrc']) {
      touch(path);
      expect([path, isInstalled(), isInstalled()]).toEqual([path, true, false]);
    }
  });

  it('installs what an install left out that did not come to its end', () => {
    outputOf('queue');
    rmSync(join(root, 'examples/queue/node_modules/.package-lock.json'));
    expect(outputOf('queue')).toContain('npm ci');
    expect(outputOf('queue')).not.toContain('npm ci');
  });

  it('ends at SIGTERM also while it installs, and the installation with it', async () => {
    write('slow/npm', '#!/bin/sh\necho "installs as $$."\nexec tail -f /dev/null\n', 0o755);
    touch('examples/queue/package-lock.json');
    const child = spawn(process.execPath, ['examples/run-example.mjs', 'queue'], {
      cwd: root,
      env: { ...process.env, PATH: join(root, 'slow') + delimiter + process.env.PATH },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const pid = Number(await vi.waitUntil(() => /installs as (\d+)\./.exec(output)?.[1], 60_000));
    try {
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([1, null]);
      await expect.poll(() => isRunning(pid)).toBe(false);
    } finally {
      if (isRunning(pid)) process.kill(pid);
    }
  });

  function isRunning(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  function touch(path: string): void {
    utimesSync(join(root, path), new Date(), new Date());
  }

  function write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
  }

  /** What `npm run example <name>` prints, with these variables alone of those it reads. */
  function outputOf(name: string, environment: NodeJS.ProcessEnv = {}): string {
    const {
      ADMIN_PASSWORD: _,
      AUTH_SIGNING_KEY: __,
      DATABASE_URL: ___,
      REDIS_URL: ____,
      ...inherited
    } = process.env;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['examples/run-example.mjs', name], {
      cwd: root,
      env: { ...inherited, PATH: join(root, 'bin') + delimiter + process.env.PATH, ...environment },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    return stdout;
  }
});
