import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createDeliveryHeaders } from '../../src/signing/delivery-headers.ts';
import { generateSecret } from '../../src/signing/secret.ts';

/** Where the code is that the guide shows. */
export const CODE: string = fileURLToPath(new URL('../../docs/recipients/', import.meta.url));

const secret = generateSecret();
const previousSecret = generateSecret();
const body = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë"}}';

/** The headers of a real delivery, with lower-case names, as a recipient sees them. */
function headersOf(offsetSeconds = 0, previous?: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000) + offsetSeconds;
  const headers = createDeliveryHeaders({
    secret,
    previousSecret: previous,
    deliveryId: '0123456789abcdef0123456789abcdef',
    event: 'user.created',
    createdAtSeconds: seconds,
    attemptAtSeconds: seconds,
    attempt: 1,
    body,
    standardHeaders: true,
    userAgent: 'acme-webhooks/test',
  });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What anybody can sign for a recipient whose secret is not configured. */
function forged(): Record<string, string> {
  const headers = headersOf();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return {
    ...headers,
    'webhook-signature': `v1,${createHmac('sha256', '').update(signed).digest('base64')}`,
  };
}

/** Deliveries, and what a recipient does with each. */
const CASES = {
  'a genuine delivery': { headers: headersOf(), body, secret, is: 'genuine' },
  'one during a rotation': {
    headers: headersOf(0, previousSecret),
    body,
    secret: previousSecret,
    is: 'genuine',
  },
  'one from the near past': { headers: headersOf(-200), body, secret, is: 'genuine' },
  'an old one': { headers: headersOf(-400), body, secret, is: 'refused' },
  'one from the future': { headers: headersOf(400), body, secret, is: 'refused' },
  'a changed body': { headers: headersOf(), body: body.replace('Zoë', 'Eve'), secret, is: 'refused' },
  'a changed id': { headers: { ...headersOf(), 'webhook-id': 'msg_1' }, body, secret, is: 'refused' },
  'another secret': { headers: headersOf(), body, secret: generateSecret(), is: 'refused' },
  'no headers': { headers: {}, body, secret, is: 'refused' },
  'no time': { headers: { ...headersOf(), 'webhook-timestamp': '' }, body, secret, is: 'refused' },
  'a time that is none': {
    headers: { ...headersOf(), 'webhook-timestamp': '1e9' },
    body,
    secret,
    is: 'refused',
  },
  'no secret': { headers: forged(), body, secret: '', is: 'no secret' },
  'a secret that was cut': { headers: headersOf(), body, secret: secret.slice(0, 20), is: 'no secret' },
};

/** One case as a line, for languages that have no JSON of their own: texts in base64. */
const LINES = Object.values(CASES).map((one) => {
  const headers: Readonly<Record<string, string>> = one.headers;
  const fields = [headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']];
  return [...fields, one.body, one.secret]
    .map((text) => (text === undefined ? '-' : `=${Buffer.from(text).toString('base64')}`))
    .join(' ');
});

/**
 * How the code of one language is run: beside a program that prints a line of `genuine`, `refused`
 * or `no secret` for each line.
 */
export interface Language {
  readonly file: string;
  readonly program: readonly [name: string, text: string];
  readonly commands: readonly (readonly string[])[];
  readonly needs: readonly string[];
}

/** Reads the lines, in whatever place the code is. */
const NODE = (path: string) => `
import { readFileSync } from 'node:fs';
const { isGenuine } = await import(${JSON.stringify(path)});
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const texts = line.split(' ').map((text) => (text === '-' ? undefined : Buffer.from(text.slice(1), 'base64')));
  const headers = Object.fromEntries(names.flatMap((name, i) => (texts[i] ? [[name, String(texts[i])]] : [])));
  try {
    console.log((await isGenuine(headers, texts[3], String(texts[4]))) ? 'genuine' : 'refused');
  } catch (error) {
    console.log(/secret/i.test(error.message) ? 'no secret' : error.stack);
  }
}`;

/** Node, with a library and without. */
export const NODE_LANGUAGES: readonly Language[] = [
  ...['node.mjs', 'node-library.mjs'].map(
    (file): Language => ({
      file,
      // Where the package finds itself by its name.
      program: ['main.mjs', NODE(join(CODE, file))],
      commands: [[process.execPath, 'main.mjs']],
      needs: [process.execPath, '--version'],
    }),
  ),
];

/** Runs the code beside its program, and returns what that prints. */
function outcomesOf({ file, program: [name, text], commands }: Language): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'recipient-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(CODE, file), join(folder, file));
  writeFileSync(join(folder, name), text);
  // A program in Go is one package.
  if (file.endsWith('.go')) {
    writeFileSync(
      join(folder, file),
      readFileSync(join(CODE, file), 'utf8').replace('package webhook', 'package main'),
    );
  }
  const env = {
    ...process.env,
    GOCACHE: join(folder, 'cache'),
    GOPATH: join(folder, 'path'),
    GO111MODULE: 'off',
  };
  let output = '';
  for (const [command = '', ...args] of commands) {
    const run = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env,
      input: `${LINES.join('\n')}\n`,
    });
    expect([command, run.status, run.stderr]).toEqual([command, 0, '']);
    output = run.stdout;
  }
  return output.trim().split('\n');
}

const EXPECTED = Object.entries(CASES).map(([name, { is }]) => `${name}: ${is}`);

/** The test of the code in one language; it is left out if the language is not installed. */
export function testLanguage(language: Language): void {
  const {
    file,
    needs: [command = '', ...args],
  } = language;
  const isInstalled = spawnSync(command, args).status === 0 || process.env.REQUIRE_SERVICES === '1';
  const title = `the code for recipients in ${file} believes what is genuine, and nothing else`;
  it.runIf(isInstalled)(
    isInstalled ? title : `${title} (skipped: ${command} is not installed)`,
    { timeout: 240_000 },
    () => {
      const outcomes = outcomesOf(language);
      expect(Object.keys(CASES).map((name, i) => `${name}: ${outcomes[i]}`)).toEqual(EXPECTED);
    },
  );
}
