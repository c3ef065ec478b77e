import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../package/installed-packages.ts';
import { repository, workspacePackages } from '../structure/workspace-package.ts';
import { freePort } from './free-port.ts';
import { codeBlocksIn } from './markdown.ts';
import { PageWalk } from './page-walk.ts';

const INSTALL_MS = 240_000;

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const page = read('docs/getting-started.md');
const program = codeBlocksIn(page).find(({ language }) => language === 'js')?.code ?? '';

describe('the file of the page', () => {
  it('is the one of the example, which biome has formatted', () => {
    expect(program).toBe(read('examples/express-minimal/app.mjs'));
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
