import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Installation, installPackages } from './installed-packages.ts';

/** A secret that is made for this run. */
const SECRET = `whsec_${createHmac('sha256', String(process.pid)).update('secret').digest('base64')}`;

const DELIVERY = '0198c0de-5a1f-7c3e-9d52-6b1f0e8a4c77';

/** Resolves with the value, once it is no longer empty. */
const eventually = <Value>(read: () => Value | undefined): Promise<NonNullable<Value>> =>
  vi.waitUntil(read, { timeout: 60_000, interval: 20 }) as Promise<NonNullable<Value>>;

let installation: Installation;
let program: string;
const running: ChildProcessWithoutNullStreams[] = [];

beforeAll(() => {
  installation = installPackages({ peers: false });
  const folder = join(installation.folder, 'node_modules/@acme/webhooks');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  program = join(folder, bin['acme-webhooks']);
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => installation.remove());

/** A callback as the engine sends it, signed with node:crypto alone. */
function callback({
  secret = SECRET,
  id = DELIVERY,
  data = { name: 'Zoë', price: '12 €' },
  at = Date.now(),
}: {
  readonly secret?: string;
  readonly id?: string;
  /** Text is JSON as it is. */
  readonly data?: object | string;
  readonly at?: number;
} = {}): { readonly headers: Record<string, string>; readonly body: string } {
  const seconds = Math.floor(at / 1000);
  const timestamp = new Date(seconds * 1000).toISOString();
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  const body = `{"type":"order.created","timestamp":"${timestamp}","data":${json}}`;
  const content = `${id}.${seconds}.${body}`;
  const decoded = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Webhook-ID': id,
      'X-Webhook-Timestamp': String(seconds),
      'X-Webhook-Signature': createHmac('sha256', secret).update(content).digest('hex'),
      'X-Webhook-Event': 'order.created',
      'X-Webhook-Attempt': '1',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${createHmac('sha256', decoded).update(content).digest('base64')}`,
    },
  };
}

interface Listening {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly out: () => string;
  readonly err: () => string;
}

/** Starts `listen` as a user does, on any port. */
async function listen(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Listening> {
  const child = spawn(process.execPath, [program, 'listen', '--port', '0', ...args], {
    cwd: installation.folder,
    env: { PATH: process.env.PATH, ...env },
  });
  running.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const url = await eventually(() => /as a webhook: (http:\S+)/.exec(out + err)?.[1]);
  return { child, url, out: () => out, err: () => err };
}

async function post(url: string, { headers, body }: ReturnType<typeof callback>): Promise<number> {
  const { status } = await fetch(url, { method: 'POST', headers, body });
  return status;
}

/** Runs `verify` on a request. */
function verify(
  request: string | Buffer,
  { args = [], secret = SECRET }: { readonly args?: readonly string[]; readonly secret?: string } = {},
): { readonly status: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'verify', ...args], {
    cwd: installation.folder,
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
    input: request,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

/** The codes that `verify --json` gives. */
function codesOf(request: string | Buffer, options: Parameters<typeof verify>[1] = {}): string[] {
  const { out } = verify(request, { ...options, args: [...(options?.args ?? []), '--json'] });
  return JSON.parse(out).signatures.map(({ code }: { readonly code: string }) => code);
}

function raw({ headers, body }: ReturnType<typeof callback>, lineEnd = '\n'): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['POST /hooks HTTP/1.1', ...lines, '', body].join(lineEnd);
}

describe('npx @acme/webhooks listen', () => {
  it('prints a genuine callback with both signatures, and a second one as a repeat', async () => {
    const { url, out } = await listen([], { WEBHOOK_SECRET: SECRET });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(out()).toContain("allowedAddresses: ['127.0.0.1/32']");
    expect([await post(url, callback()), await post(url, callback())]).toEqual([204, 204]);
    const [first = '', second = ''] = out().split('\n\n').slice(1);
    expect(first).toContain(`order.created  attempt 1  ${DELIVERY}`);
    expect(first).toContain('webhook-signature valid, X-Webhook-Signature valid');
    expect(first).not.toContain('repeat');
    expect(second).toContain('repeat');
    expect(out()).not.toContain(SECRET);
  });

  it('refuses a forged callback whatever it is told to answer, and says why', async () => {
    const { url, out } = await listen(['--status', '200'], { WEBHOOK_SECRET: SECRET });
    const forged = callback({ secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` });
    expect(await post(url, forged)).toBe(401);
    expect(out()).toContain('signature_mismatch');
    expect(out()).toContain('The secret is that of another webhook');
  });

  it('fails the first requests of each delivery only', async () => {
    const { url } = await listen(['--fail-first', '2'], { WEBHOOK_SECRET: SECRET });
    const answers = [];
    for (const id of ['first', 'first', 'first', 'second']) answers.push(await post(url, callback({ id })));
    expect(answers).toEqual([503, 503, 204, 503]);
  });

  it('leaves a request without an answer, and answers late', async () => {
    const hanging = await listen(['--hang', '--fail-first', '1', '--json'], { WEBHOOK_SECRET: SECRET });
    const { headers, body } = callback();
    const gone = new AbortController();
    const request = fetch(hanging.url, { method: 'POST', headers, body, signal: gone.signal });
    const line = await eventually(() => hanging.out().split('\n')[0]);
    expect(JSON.parse(line)).toMatchObject({ answer: null, repeat: false });
    gone.abort();
    await expect(request).rejects.toThrow();
    expect(await post(hanging.url, callback())).toBe(204);

    const late = await listen(['--delay', '300ms'], { WEBHOOK_SECRET: SECRET });
    const before = performance.now();
    expect(await post(late.url, callback())).toBe(204);
    expect(performance.now() - before).toBeGreaterThan(290);
  });

  it('reads the secret from a file that is written after the start', async () => {
    const file = join(installation.folder, 'late-secret.txt');
    const { url, out } = await listen(['--secret-file', file]);
    expect(out()).toContain('nothing is verified until');
    expect(await post(url, callback({ id: 'early' }))).toBe(204);
    expect(out()).toContain('no secret is known yet');
    writeFileSync(file, `${SECRET}\r\n`);
    expect(await post(url, callback({ id: 'late' }))).toBe(204);
    expect(out()).toContain('webhook-signature valid');
  });

  it('keeps on verifying with the last secrets while the file holds none that can be used', async () => {
    const file = join(installation.folder, 'rotated-secret.txt');
    writeFileSync(file, SECRET);
    const { err, url } = await listen(['--secret-file', file]);
    const unsigned = { headers: {}, body: '{}' };
    for (const content of ['', SECRET.slice(0, 12), ' \n']) {
      writeFileSync(file, content);
      expect([content, await post(url, unsigned), await post(url, callback())]).toEqual([content, 401, 204]);
    }
    expect(err()).toContain('The secret cannot be used');
    expect(err()).not.toContain(SECRET.slice(0, 12));
  });

  it('verifies with the secret of a pipe, which can be read once', async () => {
    const command = `exec "${process.execPath}" "${program}" listen --port 0 --secret-file <(printf %s "$SECRET")`;
    const child = spawn('bash', ['-c', command], { env: { PATH: process.env.PATH, SECRET } });
    running.push(child);
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const url = await eventually(() => /as a webhook: (http:\S+)/.exec(out)?.[1]);
    expect(await post(url, { headers: {}, body: '{}' })).toBe(401);
    expect(await post(url, callback())).toBe(204);
    expect(await post(url, { headers: {}, body: '{}' })).toBe(401);
  });

  it('takes the secret from standard input while it runs', async () => {
    const { child, err, out, url } = await listen(['--secret-file', '-']);
    child.stdin.write('whsec_tooshort\n');
    await eventually(() => err().includes('That secret cannot be used') || undefined);
    child.stdin.write(`${SECRET}\n`);
    await eventually(() => err().includes('The secret is known now') || undefined);
    expect(await post(url, callback())).toBe(204);
    expect(out()).toContain('webhook-signature valid');
    expect(out() + err()).not.toContain(SECRET);
  });

  it('shows what would control a terminal in escaped form, also in JSON', async () => {
    const hostile = callback({ data: { text: '\u001b[31m\u009b2J\u202e\u0007' } });
    const headers = { ...hostile.headers, 'X-Webhook-Attempt': '\u009b1' };
    for (const args of [[], ['--json']]) {
      const { url, out } = await listen(args, { WEBHOOK_SECRET: SECRET });
      await post(url, { ...hostile, headers });
      await post(url, { headers, body: 'no JSON: \u001b[2J\u009b\u202e\u0007' });
      expect(out()).toMatch(/\\x9b|\\u009b/);
      expect(out().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  it('bounds bodies and connections', async () => {
    const { url } = await listen([], { WEBHOOK_SECRET: SECRET });
    expect(await post(url, { headers: {}, body: 'x'.repeat(524_289) })).toBe(413);
    const { port } = new URL(url);
    const sockets = Array.from({ length: 300 }, () =>
      connect(Number(port), '127.0.0.1').on('error', () => {}),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await eventually(() => sockets.filter((socket) => socket.closed).length >= 40 || undefined);
    for (const socket of sockets) socket.destroy();
    expect(await eventually(() => post(url, callback()).catch(() => undefined))).toBe(204);
  });

  it('explains one forged request at a time, and none above 64 KiB, beside a genuine one', async () => {
    const { out, url } = await listen(['--json'], { WEBHOOK_SECRET: SECRET });
    const { headers } = callback();
    const forged = [
      { headers, body: `"${'x'.repeat(65_535)}"` },
      ...Array.from({ length: 20 }, () => ({ headers, body: `"${'x'.repeat(65_534)}"` })),
    ];
    const answers = await Promise.all([...forged, callback()].map((request) => post(url, request)));
    expect(answers).toEqual([...forged.map(() => 401), 204]);
    const explained = out()
      .split('\n')
      .filter((line) => line.includes('"explanation":"The secret is that of another webhook'))
      .map((line) => JSON.parse(line).body_bytes);
    expect(new Set(explained)).toEqual(new Set([65_536]));
    expect(explained.length).toBeLessThan(20);
  });

  it('says which port and address it cannot listen on, and warns of nothing else', async () => {
    const { url } = await listen([], { WEBHOOK_SECRET: SECRET });
    const { port } = new URL(url);
    const failure = (args: readonly string[]) => {
      const options = { encoding: 'utf8', env: { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET } } as const;
      const { status, stderr } = spawnSync(process.execPath, [program, 'listen', ...args], options);
      return { status, stderr };
    };
    expect(failure(['--port', port])).toEqual({
      status: 1,
      stderr: `It cannot listen on 127.0.0.1, port ${port}. The port is taken: --port names another one (EADDRINUSE).\n`,
    });
    const { status, stderr } = failure(['--dangerously-listen-on-address', '192.0.2.1']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^It cannot listen on 192\.0\.2\.1, port 4747, .*not one of this machine.*\n$/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends at once on %s, with requests open', async (signal) => {
    const { child, url } = await listen(['--hang', '--json'], { WEBHOOK_SECRET: SECRET });
    post(url, callback()).catch(() => {});
    const connected = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    await once(connected, 'connect');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['--secret', 'x'], 'visible to every user'],
    [['--prot', '1'], "Unknown option '--prot'"],
    [['--status', '999'], '--status must be a whole number from 200 to 599'],
    [['--delay', '5'], '--delay must be a time'],
    [['--hang', '--status', '500'], '--hang never answers'],
    [['--dangerously-listen-on-address', 'localhost'], 'must be an IP address'],
    [['--port', '0', '--dangerously-listen-on-address', '::1%lo'], 'must be an IP address without a zone'],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'listen', ...args], {
      encoding: 'utf8',
    });
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it('refuses a variable that holds white space instead of a secret', () => {
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: ' \n' };
    const { status, stderr } = spawnSync(process.execPath, [program, 'listen', '--port', '0'], {
      encoding: 'utf8',
      env,
    });
    expect([status, stderr]).toEqual([2, 'WEBHOOK_SECRET is white space alone.\n']);
  });

  it('repeats no secret that stands where an option should', () => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'listen', SECRET], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).not.toContain(SECRET);
  });
});

describe('npx @acme/webhooks verify', () => {
  it.each([['\n'], ['\r\n']])('accepts a pasted request whose lines end with %j', (lineEnd) => {
    const { status, out } = verify(raw(callback(), lineEnd) + lineEnd);
    expect(out).toBe('webhook-signature    valid\nX-Webhook-Signature  valid\n');
    expect(status).toBe(0);
  });

  const altered: Readonly<Record<string, (body: string) => string>> = {
    'spaces and line breaks': (body) => JSON.stringify(JSON.parse(body), null, 2),
    'its keys in another order': (body) => {
      const { data, timestamp, type } = JSON.parse(body);
      return JSON.stringify({ data, timestamp, type });
    },
    'other escapes': (body) => body.replace('ë', '\\u00eb'),
    'spaces, and a number that only JSON.rawJSON writes': (body) => body.replaceAll(/([:,])(?=["{])/g, '$1 '),
  };

  it.each(Object.entries(altered))('names a body that was serialised again: %s', (name, alter) => {
    const { headers, body } = callback(
      name.includes('rawJSON') ? { data: '{"total":1.10,"id":8202522731445525542}' } : {},
    );
    const { status, out } = verify(raw({ headers, body: alter(body) }));
    expect(out.match(/altered_body\n.*parsed and serialised again/g)).toHaveLength(2);
    expect(status).toBe(1);
  });

  it.each(['\n', '\r\n'])('names a line break that Content-Length counts: %j', (lineBreak) => {
    const { headers, body } = callback();
    const length = String(Buffer.byteLength(body + lineBreak));
    const sent = { headers: { ...headers, 'Content-Length': length }, body: body + lineBreak };
    const { status, out } = verify(raw(sent));
    expect(out.match(/altered_body\n.*the bytes as they came in/g)).toHaveLength(2);
    expect(status).toBe(1);
  });

  it.each([
    ['white space around it', ` ${SECRET}\n`],
    ['whsec_… is missing', SECRET.slice(6)],
    ['not whsec_… and 24 to 64 bytes', 'whsec_short'],
  ])('names the mistake in a secret: %s', (told, secret) => {
    const { status, out, err } = verify(raw(callback()), { secret });
    expect(err).toContain(`The secret cannot be used: it`);
    expect(err).toContain(told);
    expect(out + err).not.toContain(SECRET.slice(6));
    expect(status).toBe(2);
  });

  it('says in one sentence what else may be the cause', () => {
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const mismatch = ['signature_mismatch', 'signature_mismatch'];
    expect(codesOf(raw(callback()), { secret: other })).toEqual(mismatch);
    for (const [from, to] of [
      ['Zoë', 'Eve'],
      ['"data"', '"payload"'],
    ] as const) {
      const changed = raw(callback()).replace(from, to);
      expect(codesOf(changed)).toEqual(mismatch);
      expect(verify(changed).out).toMatch(/secret is that of another webhook.* or the body, .* was altered/);
    }
  });

  it.each([
    ['the whole text of the secret', SECRET, ['wrong_key', 'valid']],
    ['the text after whsec_', SECRET.slice(6), ['wrong_key', 'wrong_key']],
    ['the decoded bytes', Buffer.from(SECRET.slice(6), 'base64'), ['valid', 'wrong_key']],
  ])('tells a signature that was made with another reading of the secret: %s', (told, key, codes) => {
    const { headers, body } = callback();
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = (encoding: 'hex' | 'base64') =>
      createHmac('sha256', key).update(content).digest(encoding);
    const changed = {
      'webhook-signature': `v1,${signature('base64')}`,
      'X-Webhook-Signature': signature('hex'),
    };
    const request = raw({ body, headers: { ...headers, ...changed } });
    expect(codesOf(request)).toEqual(codes);
    expect(verify(request).out).toContain(`The signature was made with ${told}`);
  });

  it.each([-7_200, 7_200])('tells a genuine request that is too old or too new, by %i s', (seconds) => {
    const { status, out } = verify(raw(callback({ at: Date.now() + seconds * 1_000 })));
    expect(out).toMatch(/signature_stale\n.*more than 300 s away/);
    expect(status).toBe(3);
  });

  it.each([
    ['signature_missing', (text: string) => text.replace(/X-Webhook-ID.*\n/, '')],
    ['signature_malformed', (text: string) => text.replace(/(X-Webhook-ID.*\n)/, '$1$1')],
    ['signature_malformed', (text: string) => text.replace(/(X-Webhook-Signature: )/, '$1sha256=')],
    ['signature_mismatch', (text: string) => text.replace(/(X-Webhook-Event: ).*/, '$1order.deleted')],
    ['signature_mismatch', (text: string) => text.replace(/(X-Webhook-ID: ).*/, '$1another')],
  ])('tells %s', (code, alter) => {
    expect(codesOf(alter(raw(callback())))).toEqual(['valid', code]);
  });

  it('tells a request that has neither set of headers', () => {
    const { err, status } = verify('X-Hub-Signature-256: sha256=00\n\n{}');
    expect(err).toMatch(/no webhook-\* and no X-Webhook-\* header/);
    expect(status).toBe(1);
  });

  it('refuses what it cannot read with exit code 2', () => {
    expect(verify('no header at all\n\n').status).toBe(2);
    for (const empty of ['', '\n\n', 'POST /hook HTTP/1.1\n\n{}']) {
      expect(verify(empty)).toMatchObject({ status: 2, err: expect.stringMatching(/^There are no headers/) });
    }
    expect(verify('', { args: ['nowhere.txt'] }).status).toBe(2);
    expect(verify(raw(callback()), { secret: '' })).toMatchObject({ status: 2, out: '' });
    expect(verify(Buffer.alloc(1_100_000, 'a')).status).toBe(2);
  });

  it('does not exit as after a valid signature where its output cannot be written', () => {
    const command = `"${process.execPath}" "${program}" verify > /dev/full`;
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET };
    const { status } = spawnSync('bash', ['-c', command], { env, input: raw(callback()) });
    expect(status).toBe(2);
  });

  it('takes several secrets from the variable, one per line', () => {
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    expect(codesOf(raw(callback()), { secret: `${other}\n${SECRET}\n` })).toEqual(['valid', 'valid']);
    const nine = verify(raw(callback()), { secret: `${`${other}\n`.repeat(8)}${SECRET}` });
    expect([nine.status, nine.err]).toEqual([2, 'There are more than 8 secrets, one per line.\n']);
  });
});

describe('an unexpected error', () => {
  /** Runs a command in a process where a function of the language fails. */
  function broken(args: readonly string[], code: string): readonly [number | null, string] {
    const preload = `data:text/javascript,${encodeURIComponent(code)}`;
    const options = ['--import', preload, program, ...args];
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET };
    const { status, stderr } = spawnSync(process.execPath, options, {
      env,
      input: raw(callback()),
      encoding: 'utf8',
    });
    return [status, stderr];
  }
  const thrown = `throw new RangeError('beyond\\n\\u001b[31m ${SECRET}')`;
  const line = 'The command failed unexpectedly: RangeError: beyond\\x0a\\x1b[31m whsec_…\n';

  it('ends with one line and an exit code of its own', () => {
    expect(broken(['verify'], `Date.now = () => { ${thrown} }`)).toEqual([4, line]);
  });

  it('ends so as well where nothing waits for it', () => {
    const code = `const { stdout } = process, { write } = stdout;
      stdout.write = (text) => { setImmediate(() => { ${thrown} }); return write.call(stdout, text); }`;
    expect(broken(['listen', '--port', '0'], code)).toEqual([4, line]);
  });

  it('may be no error at all', () => {
    const [status, stderr] = broken(['verify'], 'Date.now = () => { throw null }');
    expect([status, stderr]).toEqual([4, 'The command failed unexpectedly: null\n']);
  });

  it('is told by the help of both commands', () => {
    for (const command of ['listen', 'verify']) {
      const { stdout } = spawnSync(process.execPath, [program, command, '--help'], { encoding: 'utf8' });
      expect(stdout).toMatch(/Exit codes: .*\b4 for an unexpected\s+error/s);
    }
  });
});
