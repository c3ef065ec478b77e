import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endDemo, finished, running, startDemo } from '../../examples/quickstart/test/demo-process.ts';
import { freePort } from '../readme/free-port.ts';
import { repository } from '../structure/workspace-package.ts';

/** A start is three processes, one after the other, each with a loader for TypeScript. */
const START_TIMEOUT_MS = 240_000;
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let folder: string;
/** Where the demo and the check keep their rows, one after the other. */
let databaseFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acme-quickstart-test-'));
  databaseFile = join(folder, 'demo.db');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a demo that cannot start', { timeout: START_TIMEOUT_MS }, () => {
  it.each(['PORT', 'RECIPIENT_PORT'])(
    'says that %s is in use and how to choose another',
    async (variable) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      try {
        const { code, output } = await finished(startDemo([], { [variable]: String(port) }));
        expect(output).toContain(`address already in use 127.0.0.1:${port}`);
        expect(output).toContain(`${variable}=0 npm run demo`);
        expect(code).toBe(1);
      } finally {
        other.close();
      }
    },
  );

  it.each([
    ['a folder', () => folder],
    ['no database', () => join(repository, 'README.md')],
  ])('refuses a database file that is %s, and leaves it as it is', async (_, fileOf) => {
    const readme = await readFile(join(repository, 'README.md'), 'utf8');
    const { code, output } = await finished(startDemo([], { DATABASE_FILE: fileOf() }));
    expect(output).toContain('The demo could not start: shop/server has ended.');
    expect(await readFile(join(repository, 'README.md'), 'utf8')).toBe(readme);
    expect(code).toBe(1);
  });
});

describe('npm run demo', { timeout: START_TIMEOUT_MS }, () => {
  let demo: ChildProcess;
  let app: string;
  let recipients: string;

  beforeAll(async () => {
    const port = await freePort();
    recipients = `http://127.0.0.1:${port}`;
    demo = startDemo([], { DATABASE_FILE: databaseFile, RECIPIENT_PORT: String(port) });
    app = await running(demo);
  }, START_TIMEOUT_MS);
  afterAll(() => endDemo(demo));

  it.skipIf(!hasCurl)('takes the commands of its README as they are (needs curl)', async () => {
    const readme = await readFile(join(repository, 'examples/quickstart/README.md'), 'utf8');
    const commands = readme.split('\n').filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(5);
    const script = commands
      .map((command) => command.replaceAll('http://127.0.0.1:3000', app).replaceAll('/tmp/', `${folder}/`))
      .join('; echo; ');
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    const answers = stdout.split('\n').map((line) => JSON.parse(line));
    // In order: log-in, order, webhooks, deliveries, and an address that is refused.
    expect(answers).toMatchObject([
      { uid: '1' },
      { item: 'Lamp', quantity: 2 },
      { webhooks: [{}, {}, {}] },
      { deliveries: [{ event: 'order.created' }] },
      { code: 'url_not_public' },
    ]);
    const [, { id }] = answers;
    await expect
      .poll(async () => (await fetch(recipients)).json())
      .toMatchObject({ Warehouse: { orders: [id] }, Accounting: { orders: [id] } });
  });

  it('serves a page that runs its own script and no other', async () => {
    const page = await fetch(app);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(await page.text()).toContain('Break it');
  });

  it('refuses to let another site change a recipient', async () => {
    const change = (origin: string) =>
      fetch(`${app}/demo/Warehouse`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ on: false }),
      });
    expect((await change('http://another.example')).status).toBe(403);
    expect(await (await fetch(recipients)).json()).toMatchObject({ Warehouse: { isDown: false } });
    expect((await change(app)).status).toBe(204);
    expect(await (await fetch(recipients)).json()).toMatchObject({ Warehouse: { isDown: true } });
  });

  it('ends in order when asked to, and its children with it', async () => {
    const ended = finished(demo);
    demo.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    await expect(fetch(app)).rejects.toThrow();
    await expect(fetch(recipients)).rejects.toThrow();
  });
});

// The pipeline also runs the check on a database of its own.
describe('npm run demo -- --check', { timeout: START_TIMEOUT_MS }, () => {
  it('succeeds on the database of an earlier demo', async () => {
    const { code, output } = await finished(startDemo(['--check'], { DATABASE_FILE: databaseFile }));
    expect(output).not.toMatch(/FAILED|whsec_/);
    expect(output).toContain('arrives after its restart, and once');
    expect(code).toBe(0);
  });
});
