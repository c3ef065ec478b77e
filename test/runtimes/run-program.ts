import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { programOf, type Runtime, versionOf } from './runtimes.ts';

const PROGRAM_TIMEOUT_MS = 240_000;

const programs = fileURLToPath(new URL('programs/', import.meta.url));

/**
 * Read by some runtimes when they start. Nobody listens there: what goes that way does not arrive.
 */
const PROXIES = {
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '',
  no_proxy: '',
};

/** A folder with the programs and something they are run with. */
export interface ProgramRun {
  readonly folder: string;
  /** The file to run there. */
  readonly file: string;
  /** Further variables of the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the environment names proxies that do not answer. */
  readonly proxies?: boolean;
}

/** Puts the programs into a folder where the packages are installed. */
export function copyPrograms(folder: string): void {
  cpSync(programs, folder, { recursive: true });
}

/**
 * Runs a file as a user of the runtime would.
 *
 * @returns the lines that it prints, one for each thing that passed
 * @throws Error with what it wrote, when it fails
 */
export async function runProgram(
  runtime: Runtime,
  { folder, file, environment = {}, proxies = false }: ProgramRun,
): Promise<string[]> {
  const { stdout } = await promisify(execFile)(programOf(runtime), [...runtime.run, file], {
    cwd: folder,
    env: { ...process.env, ...(proxies ? PROXIES : {}), ...environment },
    timeout: PROGRAM_TIMEOUT_MS,
  });
  return stdout.trim().split('\n');
}

/** One line of the table that a run ends with. */
export interface Row {
  readonly runtime: string;
  readonly version: string;
  readonly passed: string;
}

/** A row for what a runtime printed. */
export function rowOf(runtime: Runtime, passed: readonly string[]): Row {
  return { runtime: runtime.name, version: versionOf(runtime), passed: passed.join(', ') };
}
