import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VERIFICATION_CODE } from '../../../../src/panel/app/detail/verification-code.ts';
import { createDeliveryHeaders } from '../../../../src/signing/delivery-headers.ts';
import { generateSecret } from '../../../../src/signing/secret.ts';
import { verify } from '../../../../src/signing/verify.ts';

const secret = generateSecret();
const previousSecret = generateSecret();
const body = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë"}}';

/** The headers of a real delivery, with lower-case names, as a recipient sees them. */
function headersOf(previous?: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000);
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
const forged = {
  ...headersOf(),
  'x-webhook-signature': createHmac('sha256', '')
    .update(`${headersOf()['x-webhook-id']}.${headersOf()['x-webhook-timestamp']}.${body}`)
    .digest('hex'),
};

/** Deliveries, and whether a recipient may believe them. */
const CASES = [
  { headers: headersOf(), body, secret, genuine: true },
  { headers: headersOf(previousSecret), body, secret: previousSecret, genuine: true },
  { headers: headersOf(), body: body.replace('Zoë', 'Eve'), secret, genuine: false },
  { headers: headersOf(), body, secret: generateSecret(), genuine: false },
  { headers: {}, body, secret, genuine: false },
  { headers: forged, body, secret: '', genuine: false },
  { headers: forged, body, secret: null, genuine: false },
  {
    headers: { ...headersOf(), 'x-webhook-signature': '', 'x-webhook-timestamp': '1' },
    body,
    secret,
    genuine: false,
  },
];

function codeOf(name: string): string {
  const found = VERIFICATION_CODE.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no code for ${name}`);
  return found.code;
}

/**
 * Writes files into a new folder and runs a command on the last of them; the cases go in, answers
 * come out as JSON.
 */
function run(command: string, files: Readonly<Record<string, string>>): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'verification-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const last = Object.keys(files).at(-1) ?? '';
  const { stdout, stderr } = spawnSync(command, [join(folder, last)], {
    input: JSON.stringify(CASES),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the code that the panel offers to recipients', () => {
  const expected = CASES.map(({ genuine }) => genuine);

  it('for Node.js without a library believes what is genuine, and nothing else', () => {
    const main = `import { isGenuine } from './code.mjs';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const answers = JSON.parse(text).map(({ headers, body, secret }) => {
  try {
    return isGenuine(headers, Buffer.from(body), secret);
  } catch (error) {
    if (error.message !== 'The secret is not set') throw error;
    return false;
  }
});
console.log(JSON.stringify(answers));`;
    expect(
      run(process.execPath, { 'code.mjs': codeOf('Node.js without a library'), 'main.mjs': main }),
    ).toEqual(expected);
  });

  it.skipIf(!hasPython)('for Python believes what is genuine, and nothing else', () => {
    const main = `import json, sys
from code_of_panel import is_genuine

def answer(case):
    try:
        return is_genuine(case["headers"], case["body"].encode(), case["secret"])
    except (KeyError, ValueError):
        return False

print(json.dumps([answer(case) for case in json.load(sys.stdin)]))`;
    expect(run('python3', { 'code_of_panel.py': codeOf('Python'), 'main.py': main })).toEqual(expected);
  });

  it('for Node.js calls the library as it is', async () => {
    const code = codeOf('Node.js');
    expect(code).toContain("import { isWebhookError, verify } from '@acme/webhooks/signing';");
    expect(code).toContain('await verify({ secret: process.env.WEBHOOK_SECRET, headers, body })');
    const unconfigured = verify as (input: object) => Promise<unknown>;
    for (const unset of [undefined, '']) {
      await expect(unconfigured({ secret: unset, headers: forged, body })).rejects.toThrow(TypeError);
    }
    const event = await verify({ secret, headers: headersOf(), body });
    expect(Object.keys(event)).toEqual(expect.arrayContaining(['id', 'type', 'data']));
  });
});
