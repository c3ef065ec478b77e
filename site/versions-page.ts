import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, workspacePackages } from '../test/structure/workspace-package.ts';

/** The page of versions: of each package its release, its changelog, and what is not released. */
export function versionsPage(): string {
  const changes = readdirSync(join(repository, '.changeset'))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => readFileSync(join(repository, '.changeset', name), 'utf8'));
  const sections = workspacePackages.map(({ folder, manifest: { name, version } }) => {
    const changelog = join(folder, 'CHANGELOG.md');
    const past = existsSync(changelog) ? readFileSync(changelog, 'utf8').replace(/^# .*\n/, '') : '';
    const next = changes.filter((text) => text.split('---')[1]?.includes(name)).map(bodyOf);
    const current = version === '0.0.0' ? 'Not released yet.' : `The current release is ${version}.`;
    return [`## ${name}`, current, ...(next.length > 0 ? ['### Not released', ...next] : []), past].join(
      '\n\n',
    );
  });
  return ['# Versions', '[Upgrading](/upgrading) says what a version promises.', ...sections].join('\n\n');
}

function bodyOf(changeset: string): string {
  return changeset.replace(/^---[\s\S]*?---\s*/, '').replaceAll(/^#+ /gm, '#### ');
}
