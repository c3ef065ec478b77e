import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import {
  linesOf,
  MAX_FILE_BYTES,
  MAX_SECRETS,
  readSecretFile,
  requireSecrets,
  SECRET_VARIABLE,
  type SecretSource,
} from '../secret-source.ts';
import { faultOf } from '../secret-spelling.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** The secrets that `listen` knows so far. */
export interface KnownSecrets {
  /** What to tell the user about them at the start. */
  readonly notice: string;
  current(): Promise<readonly string[]>;
}

/**
 * Follows the source of the secrets. A webhook's secret exists only once it is registered, and
 * registering needs the address: a file may therefore be written later, and is read for each
 * request; and a secret may be pasted while the recipient runs.
 *
 * @throws UsageError if a secret that is already there cannot be used
 */
export async function followSecrets(
  source: SecretSource,
  terminal: Terminal,
  onInterrupt: () => void,
): Promise<KnownSecrets> {
  if (source.from === 'environment') {
    const secrets = requireSecrets(linesOf(source.text));
    if (secrets.length === 0) throw new UsageError(`${SECRET_VARIABLE} is white space alone.`);
    return { notice: '', current: async () => secrets };
  }
  if (source.from === 'file') return followFile(source.path, terminal);
  if (source.from === 'nowhere' && process.stdin.isTTY !== true) {
    return {
      notice: 'No secret is known, so nothing is verified. Set WEBHOOK_SECRET, or use --secret-file.',
      current: async () => [],
    };
  }
  const secrets: string[] = [];
  readHiddenLines((line) => acceptLine(line, secrets, terminal), onInterrupt);
  return {
    notice: 'Paste the signing secret here once you have it, and press Enter. It is not shown.',
    current: async () => secrets,
  };
}

/**
 * Follows a file. Once it has held a secret, requests are verified with the last secrets that it
 * held: a file that is being written may hold half a secret or nothing. A pipe is read at the start
 * alone.
 */
async function followFile(path: string, terminal: Terminal): Promise<KnownSecrets> {
  const read = async () => requireSecrets((await readSecretFile(path)) ?? []);
  let known = await read();
  async function current(): Promise<readonly string[]> {
    // Opening a pipe once more waits for another writer.
    const isFile = (await stat(path).catch(() => undefined))?.isFile();
    if (isFile === false) return known;
    try {
      const secrets = await read();
      if (secrets.length > 0) known = secrets;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      terminal.warn(error.message);
    }
    return known;
  }
  const notice = 'The file named by --secret-file holds no secret yet: nothing is verified until it does.';
  return { notice: known.length > 0 ? '' : notice, current };
}

function acceptLine(line: string, secrets: string[], terminal: Terminal): void {
  const secret = line.trim();
  const fault = faultOf(secret);
  if (fault !== undefined) {
    terminal.warn(`That secret cannot be used: ${fault}.`);
    return;
  }
  secrets.push(secret);
  if (secrets.length > MAX_SECRETS) secrets.shift();
  terminal.warn('The secret is known now: requests are verified with it.');
}

/**
 * Reads lines from standard input, bounded in all. A terminal does not show what is typed; Ctrl-C
 * there calls `onInterrupt`, because such a terminal sends no signal.
 */
function readHiddenLines(onLine: (line: string) => void, onInterrupt: () => void): void {
  const { stdin } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY === true });
  let size = 0;
  stdin.on('data', (chunk) => {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) stdin.destroy();
  });
  lines.on('SIGINT', onInterrupt);
  lines.on('line', (line) => line.trim() !== '' && onLine(line));
}
