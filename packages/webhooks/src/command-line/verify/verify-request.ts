import { type Command, type CommandInput, SHARED_OPTIONS } from '../command-options.ts';
import { collectBounded, readBounded } from '../read-bounded.ts';
import { SCHEME_TITLES, type SchemeCheck } from '../scheme-check.ts';
import { linesOf, readSecretFile, requireSecrets, SECRET_VARIABLE, secretSource } from '../secret-source.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { visibleJson } from '../visible-text.ts';
import { diagnose } from './diagnosis.ts';
import { parseRequest } from './pasted-request.ts';

/** Twice the size of the largest payload, and headers. */
const MAX_REQUEST_BYTES = 1_048_576;

export const VERIFY: Command = {
  name: 'verify',
  takes: '[options] [file]',
  summary: 'Says why the signature of a callback matches or does not.',
  maxFiles: 1,
  options: SHARED_OPTIONS,
  notes: `The request is the file, or standard input: headers, an empty line, the body. A request
line before them is skipped, and so is a line break after the body, unless
Content-Length counts it.

The secret comes from --secret-file or from the variable ${SECRET_VARIABLE}.

Exit codes: 0 every signature is valid; 1 one is not; 2 for a wrong option, file or
secret, or if the output cannot be written; 3 the signatures are valid, but older or
newer than 5 minutes; 4 for an unexpected error.`,
};

/** The signature fits, but its time does not. */
const STALE = 'signature_stale';

/** Diagnoses one request. */
export async function verifyRequest(
  input: CommandInput,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  const request = parseRequest(await readRequest(input.files[0], terminal));
  const diagnoses = await diagnose(request, await readSecrets(input, env));
  await terminal.print(
    input.flag('json')
      ? `${visibleJson({ signatures: diagnoses })}\n`
      : diagnoses.map((diagnosis) => lineOf(diagnosis, terminal)).join(''),
  );
  const codes = diagnoses.map(({ code }) => code).filter((code) => code !== 'absent');
  if (codes.length === 0) terminal.warn('There is no webhook-* and no X-Webhook-* header.');
  if (codes.length === 0 || codes.some((code) => code !== 'valid' && code !== STALE)) return 1;
  return codes.includes(STALE) ? 3 : 0;
}

function lineOf({ code, message, scheme }: SchemeCheck, { paint }: Terminal): string {
  const tone = code === 'valid' ? 'good' : code === 'absent' ? 'quiet' : code === STALE ? 'notable' : 'bad';
  const explanation = message === '' ? '' : `  ${message}\n`;
  return `${SCHEME_TITLES[scheme].padEnd(19)}  ${paint(tone, code)}\n${explanation}`;
}

async function readRequest(file: string | undefined, terminal: Terminal): Promise<Buffer> {
  if (file !== undefined) {
    const bytes = await readBounded(file, MAX_REQUEST_BYTES, 'The file of the request');
    if (bytes === undefined) throw new UsageError('The file of the request is not there.');
    return bytes;
  }
  if (process.stdin.isTTY === true) {
    terminal.warn('Paste the headers, an empty line and the body. Then press Enter and Ctrl-D.');
  }
  return await collectBounded(process.stdin, MAX_REQUEST_BYTES, 'The request');
}

async function readSecrets(input: CommandInput, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const source = secretSource(input, env);
  const lines =
    source.from === 'environment'
      ? linesOf(source.text)
      : source.from === 'file' && (await readSecretFile(source.path));
  if (lines && lines.length > 0) return requireSecrets(lines);
  throw new UsageError(`There is no secret: set ${SECRET_VARIABLE}, or name a file with --secret-file.`);
}
