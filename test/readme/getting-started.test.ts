import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_URL } from '../../site/site-url.ts';
import { pack } from '../package/installed-packages.ts';
import { repository, workspacePackages } from '../structure/workspace-package.ts';
import { freePort } from './free-port.ts';
import { codeBlocksIn } from './markdown.ts';
import { PageWalk } from './page-walk.ts';

const INSTALL_MS = 240_000;
const MAX_LINES = 25;
const MAX_COLUMNS = 100;

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const page = read('docs/getting-started.md');
const program = codeBlocksIn(page).find(({ language }) => language === 'js')?.code ?? '';

describe('the file of the page', () => {
  it('is the one of the example, which biome has formatted', () => {
    expect(program).toBe(read('examples/express-minimal/app.mjs'));
  });

  it(`has at most ${MAX_LINES} lines of the host, of at most ${MAX_COLUMNS} columns`, () => {
    const lines = program.split('\n');
    expect(lines.filter((line) => line.length > MAX_COLUMNS)).toEqual([]);
    const host = program.replace(/^import [^;]*;$/gm, '').split('\n');
    expect(host.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(MAX_LINES);
  });
});

describe('the page', () => {
  let folder: string;
  let walk: PageWalk;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'getting-started-'));
    walk = new PageWalk(folder);
  });
  afterAll(async () => {
    await walk.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('leads from an empty folder to a verified delivery, word for word', {
    timeout: INSTALL_MS,
  }, async () => {
    const tarballs = mkdtempSync(join(tmpdir(), 'tarballs-'));
    const paths = workspacePackages.map((workspacePackage) => pack(workspacePackage, tarballs));
    const [port, recipientPort] = [await freePort(), await freePort()];
    // The tarballs are packed here, and the ports of the page may be taken: nothing else differs.
    const text = page
      .replace('/tmp/acme-auth-*.tgz /tmp/acme-webhooks-*.tgz', paths.join(' '))
      .replaceAll('3000', String(port))
      .replaceAll('npx @acme/webhooks listen', `$& --port ${recipientPort}`)
      .replaceAll('4747', String(recipientPort));
    const blocks = codeBlocksIn(text);
    const saved = /^Save this as `([\w.]+)`:$/m.exec(text)?.[1];
    expect(saved).toBeDefined();
    const install = blocks.findIndex(({ code }) => code.startsWith('npm install '));
    expect(blocks[install]?.code).toContain(tarballs);
    execFileSync('bash', ['-c', blocks[install]?.code ?? 'false'], { cwd: folder, stdio: 'pipe' });
    rmSync(tarballs, { recursive: true });
    const written = blocks.find(({ language }) => language === 'js')?.code ?? '';
    writeFileSync(join(folder, saved ?? ''), written);
    await walk.follow(blocks.slice(install + 1));

    const panel = await fetch(`http://127.0.0.1:${port}/admin/webhooks`);
    expect([panel.status, panel.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

describe.each([
  ['README.md', 'docs/getting-started.md'],
  // The tarball does not hold the page: its README links to the site.
  ['packages/auth/README.md', `${SITE_URL}/getting-started`],
  ['packages/webhooks/README.md', `${SITE_URL}/getting-started`],
])('%s', (readme, link) => {
  it('names the page on its first screen', () => {
    expect(read(readme).split('\n').slice(0, 25).join('\n')).toContain(`](${link})`);
  });
});
