import { type Command, type CommandInput, SHARED_OPTIONS } from '../command-options.ts';
import { collectBounded, readBounded } from '../read-bounded.ts';
import { SCHEME_TITLES, type SignedRequest } from '../scheme-check.ts';
import {
  linesOf,
  readHiddenLines,
  readSecretFile,
  requireSecrets,
  SECRET_VARIABLE,
  secretSource,
} from '../secret-source.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { visibleJson } from '../visible-text.ts';
import { type Diagnosis, diagnose } from './diagnosis.ts';
import { MAX_REQUEST_BYTES, parseHeaders, parseRequest } from './pasted-request.ts';

export const VERIFY: Command = {
  name: 'verify',
  takes: '[options] [file]',
  summary: 'Says why the signature of a callback matches or does not.',
  maxFiles: 1,
  options: {
    headers: { value: '<path>', help: 'a file with the headers, as lines or as a JSON object' },
    body: { value: '<path>', help: 'a file with the body, byte for byte' },
    'received-at': {
      value: '<time>',
      help: 'when the request came in: RFC 3339 or Unix seconds (default: now)',
    },
    ...SHARED_OPTIONS,
  },
  notes: `The request is the file, or standard input: headers, an empty line, the body. A request
line before them is skipped, and so is a line break after the body. --headers and
--body together replace it; then every byte of the body counts.

The secret comes from --secret-file or from the variable ${SECRET_VARIABLE}. If the request
comes from files, you may also paste it.

Exit codes: 0 every signature is valid; 1 one is not; 2 for a wrong option, file or
secret, or if the output cannot be written; 3 the signatures are valid, but older or
newer than 5 minutes; 4 for an unexpected error.`,
};

/** Diagnoses one request. */
export async function verifyRequest(
  input: CommandInput,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  const receivedAtMs = readTime(input.text('received-at'));
  const request = await readRequest(input, terminal);
  const secrets = await readSecrets(input, env, terminal);
  const diagnoses = await diagnose(request, secrets, receivedAtMs);
  const text = input.flag('json')
    ? `${visibleJson({ signatures: diagnoses })}\n`
    : diagnoses.map((diagnosis) => lineOf(diagnosis, terminal)).join('');
  await terminal.print(text);
  const codes = diagnoses.map(({ code }) => code).filter((code) => code !== 'absent');
  if (codes.length === 0) terminal.warn('There is no webhook-* and no X-Webhook-* header.');
  if (codes.length > 0 && codes.every((code) => code === 'valid')) return 0;
  return codes.includes(STALE) && codes.every((code) => code === 'valid' || code === STALE) ? 3 : 1;
}

/** The signature fits, but its time does not. */
const STALE = 'signature_stale';

function lineOf({ code, message, scheme }: Diagnosis, { paint }: Terminal): string {
  const tone = code === 'valid' ? 'good' : code === 'absent' ? 'quiet' : code === STALE ? 'notable' : 'bad';
  const explanation = message === '' ? '' : `  ${message}\n`;
  return `${SCHEME_TITLES[scheme].padEnd(19)}  ${paint(tone, code)}\n${explanation}`;
}

async function readRequest(input: CommandInput, terminal: Terminal): Promise<SignedRequest> {
  const headers = input.text('headers');
  const body = input.text('body');
  const [file] = input.files;
  if (headers !== undefined && body !== undefined && file === undefined) {
    return { headers: parseHeaders(await readFileOf(headers)), body: await readFileOf(body) };
  }
  if (headers !== undefined || body !== undefined) {
    throw new UsageError('--headers and --body belong together, and replace the file.');
  }
  if (file !== undefined && file !== '-') return parseRequest(await readFileOf(file));
  if (input.text('secret-file') === '-') {
    throw new UsageError('Standard input cannot be both the request and the secret.');
  }
  if (process.stdin.isTTY === true) {
    terminal.warn('Paste the headers, an empty line and the body. Then press Enter and Ctrl-D.');
  }
  return parseRequest(await collectBounded(process.stdin, MAX_REQUEST_BYTES, 'The request'));
}

async function readFileOf(path: string): Promise<Buffer> {
  const bytes = await readBounded(path, MAX_REQUEST_BYTES, 'A file of the request');
  if (bytes === undefined) throw new UsageError('A file of the request is not there.');
  return bytes;
}

async function readSecrets(
  input: CommandInput,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<readonly string[]> {
  const source = secretSource(input, env);
  let lines: readonly string[] = [];
  if (source.from === 'environment') lines = linesOf(source.text);
  else if (source.from === 'file') lines = (await readSecretFile(source.path)) ?? [];
  else if (isRequestFromFiles(input) && (source.from === 'standard input' || process.stdin.isTTY === true)) {
    if (process.stdin.isTTY === true) terminal.warn('Paste the secret and press Enter. It is not shown.');
    const reader = readHiddenLines(() => {});
    lines = linesOf((await reader.first) ?? '');
    reader.close();
  }
  if (lines.length === 0) {
    throw new UsageError(`There is no secret: set ${SECRET_VARIABLE}, or use --secret-file.`);
  }
  return requireSecrets(lines);
}

function isRequestFromFiles(input: CommandInput): boolean {
  return input.files.length > 0 || input.text('headers') !== undefined;
}

function readTime(text: string | undefined): number {
  if (text === undefined) return Date.now();
  const ms = /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new UsageError('--received-at must be RFC 3339, such as 2026-11-24T05:00:00Z, or Unix seconds.');
}
