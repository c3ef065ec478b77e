import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, vi } from 'vitest';
import { freePort } from '../readme/free-port.ts';
import { repository } from '../structure/workspace-package.ts';

/**
 * An install of an example takes long on a loaded machine, and so does a build by Next, or one of
 * the packages.
 */
const READY_MS = 600_000;
const END_MS = 120_000;
/** For the hook that starts an example: an example that is not ready in time is still removed. */
export const INSTALL_MS = READY_MS + END_MS;
/** What a clean clone of an example does not have. */
const MADE_ON_START: ReadonlySet<string> = new Set(['node_modules', '.next', 'app.db']);

/** An example that was started as its README says, in a folder of its own. */
export interface StartedExample {
  readonly url: string;
  /** Where its files and its `node_modules` are. */
  readonly folder: string;
  /** What it has printed so far. */
  readonly output: () => string;
  /** The password of `admin`. */
  readonly password: string;
  /** Logs in as `admin`. @returns the cookies */
  logIn(): Promise<string>;
  /** Sends a request; a body goes as JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<Response>;
  /** Ends it with SIGTERM, which must lead to exit code 0. */
  end(): Promise<void>;
  /** Kills it if it still runs, and removes its folder. */
  remove(): Promise<void>;
}

interface SendOptions {
  readonly body?: object;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Runs `npm run example <name>` on a copy of the example, beside the built packages. If it is not
 * ready in time, nothing of it is left.
 */
export async function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
  readyMs = READY_MS,
): Promise<StartedExample> {
  const folder = copyOf(name);
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  const child = spawn(process.execPath, ['examples/run-example.mjs', name], {
    cwd: folder,
    env: { ...withoutVitest(), PORT: String(port), ADMIN_PASSWORD: password, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  const url = `http://127.0.0.1:${port}`;
  const send: StartedExample['send'] = (method, path, { body, cookie = '', headers = {} } = {}) =>
    fetch(url + path, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const remove = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await vi.waitFor(
      () => {
        expect(child.exitCode, output()).toBeNull();
        expect(output()).toContain(`Listening on ${port}`);
      },
      { timeout: readyMs, interval: 50 },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    folder: join(folder, 'examples', name),
    output,
    password,
    send,
    logIn: async () => {
      const answer = await send('POST', '/api/admin/auth/login', { body: { login: 'admin', password } });
      expect(answer.status).toBe(200);
      return answer.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ');
    },
    end: async () => {
      child.kill('SIGTERM');
      await vi.waitFor(() => expect([child.exitCode, child.signalCode], output()).toEqual([0, null]), {
        timeout: END_MS,
        interval: 50,
      });
    },
    remove,
  };
}

/** A clone with this one example, whose packages are those of the repository. */
function copyOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  mkdirSync(join(folder, 'examples'));
  for (const file of ['run-example.mjs', 'is-built.mjs', name]) {
    cpSync(join(repository, 'examples', file), join(folder, 'examples', file), {
      recursive: true,
      filter: (source) => !MADE_ON_START.has(basename(source)),
    });
  }
  for (const shared of ['packages', 'node_modules', 'package.json']) {
    symlinkSync(join(repository, shared), join(folder, shared));
  }
  return folder;
}

function withoutVitest(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, VITEST: __, ...inherited } = process.env;
  return inherited;
}

function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}
