import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...guides.map((name) => `docs/${name}`)];
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The names in the first column of a guide's table of options. */
function optionRowsOf(guide: string): string[] {
  const table = read(`docs/${guide}`).split('\n| option | default | ')[1]?.split('\n\n')[0] ?? '';
  const columns = [...table.matchAll(/^\| (`[^|]+) \|/gm)];
  return columns.flatMap(([, column = '']) => [...column.matchAll(/`(\w+)/g)].map(([, name = '']) => name));
}

/** The members of an interface. */
function membersOf(file: string, name: string): string[] {
  const body =
    read(file)
      .split(new RegExp(`^export interface ${name}\\b.*\\{$`, 'm'))[1]
      ?.split(/^\}/m)[0] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member = '']) => member);
}

describe('the guides', () => {
  it.each([
    ['src/sessions/sessions-options.ts', 'SessionsOptions', 'sessions.md'],
    ['src/sessions/password-credentials.ts', 'PasswordCredentialsOptions', 'passwords.md'],
    ['src/api-keys/api-keys-options.ts', 'ApiKeysOptions', 'api-keys.md'],
    ['src/client/start-status-poll.ts', 'StatusPollOptions', 'client.md'],
  ])('have a row for each option in %s (%s), and none besides', (file, name, guide) => {
    const members = membersOf(file, name);
    expect(members.length).toBeGreaterThan(3);
    expect(optionRowsOf(guide).sort()).toEqual(members.sort());
  });

  it('have a row for each reason why a token is invalid, and none besides', () => {
    const union = read('src/errors.ts').split('export type InvalidTokenReason =')[1]?.split(';')[0] ?? '';
    const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, reason = '']) => reason);
    const section = read('docs/access-tokens.md').split('## Why a token is invalid')[1] ?? '';
    const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].filter(([, name]) => name !== 'reason');
    expect(rows.map(([, name]) => name).sort()).toEqual(reasons.sort());
    expect(reasons.length).toBeGreaterThan(5);
  });

  it('are each linked from the README', () => {
    expect(guides.filter((name) => !read('README.md').includes(`](docs/${name})`))).toEqual([]);
    expect(guides.length).toBeGreaterThan(5);
  });

  it.each(documents)('link to what exists: %s', (document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? document : join(dirname(document), file);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
