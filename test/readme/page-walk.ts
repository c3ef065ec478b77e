import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, vi } from 'vitest';
import type { MarkdownCode } from './markdown.ts';

const STEP_MS = 120_000;

/** What no two runs print alike: times, ids, seconds since the epoch. */
const VARIABLE: readonly RegExp[] = [
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
  /\d\d:\d\d:\d\d\.\d{3}/,
  /\b[0-9a-f]{32}\b/,
  /\b\d{10}\b/,
];

/** A reader's terminals: each command runs in a shell of its own, in one folder. */
export class PageWalk {
  readonly #folder: string;
  readonly #running: { readonly child: ChildProcess; readonly output: () => string }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Follows a page: runs each block of `sh` in turn, and compares what it prints with the block of
   * `text` after it. A command that has printed all of it and still runs is left running; `text`
   * after another `text` or code is what a running command prints next.
   */
  async follow(blocks: readonly MarkdownCode[]): Promise<void> {
    for (const [index, { language, code }] of blocks.entries()) {
      const next = blocks[index + 1];
      if (language === 'sh') await this.#run(code, next?.language === 'text' ? next.code : undefined);
      else if (language === 'text' && blocks[index - 1]?.language !== 'sh') await this.#awaitOutput(code);
    }
  }

  /** Ends what still runs, with its children. */
  async end(): Promise<void> {
    await Promise.all(
      this.#running.splice(0).map(async ({ child }) => {
        if (child.exitCode === null && child.signalCode === null) {
          const exit = once(child, 'exit');
          process.kill(-(child.pid ?? Number.NaN), 'SIGTERM');
          await exit;
        }
      }),
    );
  }

  async #run(code: string, expected: string | undefined): Promise<void> {
    const { VITEST: _, NODE_ENV: __, ...env } = process.env;
    const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
      cwd: this.#folder,
      env,
      // A group of its own, which ends as a whole: npx starts a shell and a program.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    const output = () => text;
    if (expected === undefined) {
      const [exitCode] = await once(child, 'close');
      expect(exitCode, `${code}\n${text}`).toBe(0);
      return;
    }
    this.#running.push({ child, output });
    await vi.waitFor(() => expect(text.trim()).toMatch(exactly(expected)), {
      timeout: STEP_MS,
      interval: 50,
    });
  }

  async #awaitOutput(expected: string): Promise<void> {
    await vi.waitFor(
      () => {
        const added = this.#running.map(({ output }) => output().trim().split('\n\n').slice(1).join('\n\n'));
        expect(added.filter((text) => exactly(expected).test(text))).toHaveLength(1);
      },
      { timeout: STEP_MS, interval: 50 },
    );
  }
}

/**
 * A pattern for this text, with anything of the same form where {@link VARIABLE} applies, and
 * anything for `…`.
 */
function exactly(text: string): RegExp {
  const variable = new RegExp(VARIABLE.map(({ source }) => source).join('|'), 'g');
  const fixed = text.trim().split(variable).map(escaped);
  const forms = [...text.matchAll(variable)].map(
    ([found]) => VARIABLE.find((form) => new RegExp(`^(?:${form.source})$`).test(found))?.source,
  );
  return new RegExp(`^${fixed.map((part, index) => part + (forms[index] ?? '')).join('')}$`);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^]*');
