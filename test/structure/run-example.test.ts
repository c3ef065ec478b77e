import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../readme/free-port.ts';
import { repository } from './workspace-package.ts';

/** Two examples that print what they were started with. */
const START = `const { ADMIN_PASSWORD: password, AUTH_SIGNING_KEY: key } = process.env;
console.log(JSON.stringify({ password, isKeySet: Boolean(key) }));`;
const README = { shop: '| `ADMIN_PASSWORD` | x |\n| `DATABASE_URL` | x |', queue: '| `REDIS_URL` | x |' };

describe('npm run example', () => {
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'run-example-'));
    cpSync(join(repository, 'examples/run-example.mjs'), join(root, 'examples/run-example.mjs'));
    mkdirSync(join(root, 'node_modules'));
    mkdirSync(join(root, 'packages/toolkit/src'), { recursive: true });
    for (const name of ['auth', 'webhooks']) {
      write(`packages/${name}/src/index.ts`, '');
      write(`packages/${name}/dist/index.js`, '');
    }
    const compose = `services: { any: { ports: ['127.0.0.1:${await freePort()}:1'] } }\n`;
    for (const [name, readme] of Object.entries(README)) {
      write(`examples/${name}/README.md`, readme);
      write(`examples/${name}/compose.yaml`, compose);
      write(`examples/${name}/.npmrc`, '');
      write(`examples/${name}/start.mjs`, START);
      const about = { name, version: '1.0.0', scripts: { start: 'node start.mjs' } };
      write(`examples/${name}/package.json`, JSON.stringify(about));
      const lock = { name, version: '1.0.0', lockfileVersion: 3, packages: { '': about } };
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
