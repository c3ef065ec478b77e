import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './workspace-package.ts';

/** Each with whether it is generated. Generated pages say so on top. */
const files = ['auth', 'webhooks'].flatMap((name) => {
  const folder = `packages/${name}/docs/reference`;
  const pages = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((page) => /\.\w+$/.test(page))
    .map((page) => `${folder}/${page.replaceAll('\\', '/')}`);
  return pages.map(
    (page) => [page, readFileSync(join(repository, page), 'utf8').startsWith('<!-- Made')] as const,
  );
});

it('marks what is generated, and nothing else, so that GitHub folds it in a diff', () => {
  const written = ['README.md', 'packages/webhooks/docs/README.md', 'packages/webhooks/package.json'];
  const expected = new Map([
    ...files,
    ['packages/webhooks/openapi.json', true] as const,
    ...written.map((file) => [file, false] as const),
  ]);
  expect(new Set(files.map(([, isGenerated]) => isGenerated))).toEqual(new Set([true, false]));
  const marked = markedOf([...expected.keys()]);
  expect(marked).toEqual([...expected].filter(([, isGenerated]) => isGenerated).map(([file]) => file));
});

/** Those that Git finds marked, in a repository of its own: this one may have no history. */
function markedOf(paths: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'attributes-'));
  try {
    const git = (args: readonly string[], input = '') =>
      execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' });
    git(['init', '--quiet']);
    copyFileSync(join(repository, '.gitattributes'), join(folder, '.gitattributes'));
    const fields = git(['check-attr', '-z', '--stdin', 'linguist-generated'], paths.join('\0')).split('\0');
    return paths.filter((_, index) => fields[index * 3 + 2] === 'set');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
