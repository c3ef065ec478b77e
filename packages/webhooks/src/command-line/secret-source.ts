import type { CommandInput } from './command-options.ts';
import { fromUtf16 } from './from-utf16.ts';
import { readBounded } from './read-bounded.ts';
import { faultOf } from './secret-spelling.ts';
import { UsageError } from './usage-error.ts';

/** The variable that holds the secret, as in the samples of the guides. */
export const SECRET_VARIABLE = 'WEBHOOK_SECRET';

/** As many secrets as `verify` takes in one call. */
export const MAX_SECRETS = 8;

/** The largest file of secrets, in bytes; of all that is pasted, too. */
export const MAX_FILE_BYTES = 16_384;

/** Where the secrets come from: an option, the environment, or nowhere. */
export type SecretSource =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'standard input' }
  | { readonly from: 'nowhere' };

/** `--secret-file` wins over the environment. */
export function secretSource(input: CommandInput, env: NodeJS.ProcessEnv): SecretSource {
  const path = input.text('secret-file');
  if (path === '-') return { from: 'standard input' };
  if (path !== undefined) return { from: 'file', path };
  const text = env[SECRET_VARIABLE];
  return text ? { from: 'environment', text } : { from: 'nowhere' };
}

/**
 * Reads the lines of a file of secrets, without their line ends.
 *
 * @returns nothing if there is no such file yet
 * @throws UsageError if it cannot be read or is too large
 */
export async function readSecretFile(path: string): Promise<readonly string[] | undefined> {
  const bytes = await readBounded(path, MAX_FILE_BYTES, 'The file named by --secret-file');
  return bytes === undefined ? undefined : linesOf(fromUtf16(bytes).toString('utf8'));
}

/**
 * The lines that are not empty.
 *
 * @throws UsageError if they are more than there may be secrets
 */
export function linesOf(text: string): readonly string[] {
  const given = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (given.length > MAX_SECRETS)
    throw new UsageError(`There are more than ${MAX_SECRETS} secrets, one per line.`);
  return given;
}

/**
 * The secrets of some lines.
 *
 * @throws UsageError saying what is wrong with a line, without repeating it
 */
export function requireSecrets(lines: readonly string[]): readonly string[] {
  for (const line of lines) {
    const fault = faultOf(line);
    if (fault !== undefined) throw new UsageError(`The secret cannot be used: ${fault}.`);
  }
  return lines;
}
