import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository } from './workspace-package.ts';

/** Those of an older build, and of a change after it. */
const BEFORE = new Date('2026-01-01T00:00:00Z');
const AFTER = new Date('2026-01-03T00:00:00Z');

describe.each([
  ['demo', ['examples/build-packages.mjs']],
  ['example', ['examples/run-example.mjs', 'queue']],
])('npm run %s', (command, args) => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'built-packages-'));
    for (const path of ['examples/is-built.mjs', 'examples/run-example.mjs', 'examples/build-packages.mjs'])
      cpSync(join(repository, path), join(root, path));
    for (const name of ['auth', 'webhooks']) {
      write(`packages/${name}/src/room/index.ts`);
      write(`packages/${name}/package.json`, '{ "type": "module" }');
      write(`packages/${name}/tsup.config.ts`);
      for (const file of ['index.js', 'index.d.ts'])
        write(`packages/${name}/dist/${file}`, '', new Date('2026-01-02T00:00:00Z'));
    }
    write('packages/toolkit/src/clock.ts');
    write('packages/toolkit/build/library-options.ts');
    write('package.json', '{ "type": "module" }');
    write('node_modules/.package-lock.json');
    write('examples/queue/.npmrc');
    write('examples/queue/start.mjs');
    write('examples/queue/README.md');
    write('examples/queue/package.json', '{ "scripts": { "start": "node start.mjs" } }');
    write('examples/queue/node_modules/.package-lock.json', '', AFTER);
    write('bin/npm', '#!/bin/sh\necho "npm $*" >> npm.log\n');
    spawnSync('chmod', ['+x', join(root, 'bin/npm')]);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    ['a source', 'packages/webhooks/src/room/index.ts', ['webhooks']],
    ['a new source', 'packages/auth/src/room/new.ts', ['auth']],
    ['the settings of a build', 'packages/auth/tsup.config.ts', ['auth']],
    ['the pages of the panel', 'packages/webhooks/panel.vite.config.ts', ['webhooks']],
    ['what a package depends on', 'packages/webhooks/package.json', ['webhooks']],
    ['the code that both share', 'packages/toolkit/src/clock.ts', ['auth', 'webhooks']],
    ['what is installed', 'package-lock.json', ['auth', 'webhooks']],
    ['the tools of the build', 'packages/toolkit/build/library-options.ts', ['auth', 'webhooks']],
  ])('builds again what was made before a change of %s', (_, path, names) => {
    write(path, path.endsWith('.json') ? '{ "type": "module" }' : '', AFTER);
    // An example builds both.
    expect(built()).toEqual(command === 'example' ? ['auth', 'webhooks'] : names);
  });

  it.each(['index.js', 'index.d.ts'])('builds a package whose last build ended before %s', (file) => {
    rmSync(join(root, 'packages/webhooks/dist', file));
    expect(built()).toEqual(command === 'example' ? ['auth', 'webhooks'] : ['webhooks']);
  });

  it('builds nothing again because of a test, a guide or a benchmark', () => {
    for (const folder of ['test', 'docs', 'bench']) write(`packages/webhooks/${folder}/new.ts`, '', AFTER);
    expect(built()).toEqual([]);
  });

  /** The packages that a start builds. A start that builds nothing prints nothing. */
  function built(): string[] {
    const log = join(root, 'npm.log');
    const { status, stderr, stdout } = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...process.env, PATH: join(root, 'bin') + delimiter + process.env.PATH },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    if (!existsSync(log)) {
      expect(stdout).toBe('');
      return [];
    }
    const calls = spawnSync('cat', [log], { encoding: 'utf8' }).stdout.trim().split('\n');
    const isBoth = calls.includes('npm --silent run build');
    return ['auth', 'webhooks'].filter(
      (name) => isBoth || calls.includes(`npm run --silent build -w @acme/${name}`),
    );
  }

  function write(path: string, text = '', time = BEFORE): void {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    // A new file changes its folder, and a new folder the one above.
    for (let one = file; one !== root; one = dirname(one)) utimesSync(one, time, time);
  }
});
