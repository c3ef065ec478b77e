import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCounters } from '../src/stats.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...guides.map((name) => `docs/${name}`)];
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/**
 * The names in the first column of the table under that head: several to a row, in the order of the
 * rows.
 */
function rowsOf(document: string, head: string): string[] {
  const table = read(document).split(`\n${head}\n`)[1]?.split('\n\n')[0] ?? '';
  const columns = [...table.matchAll(/^\| (`[^|]+) \|/gm)];
  return columns.flatMap(([, column = '']) => [...column.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** The members of an interface. */
function membersOf(file: string, name: string): string[] {
  const body =
    read(file)
      .split(new RegExp(`^export interface ${name}\\b[^{]*\\{$`, 'm'))[1]
      ?.split(/^\}/m)[0] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member = '']) => member);
}

describe('the guides', () => {
  it.each([
    ['README.md', '| option | default | bounds |', 'src/webhooks-options.ts', 'WebhooksOptions'],
    [
      'docs/retries.md',
      '| option of `retry` | default | bounds |',
      'src/delivery/retry-schedule.ts',
      'RetryOptions',
    ],
    ['docs/operating.md', '| field | normal | otherwise |', 'src/delivery/health.ts', 'EngineHealth'],
  ])('%s has a row under "%s" for each member in %s (%s), and none besides', (document, head, file, name) => {
    const hooks = name === 'WebhooksOptions' ? membersOf('src/hooks/webhook-hooks.ts', 'WebhookHooks') : [];
    const members = [...membersOf(file, name), ...hooks];
    expect(members.length).toBeGreaterThan(4);
    expect(rowsOf(document, head).sort()).toEqual(members.sort());
  });

  it('say of each counter what it counts', () => {
    const rows = rowsOf('docs/operating.md', '| counter | counts | alert when it grows by |');
    expect(rows.sort()).toEqual(Object.keys(createCounters()).sort());
  });

  it('name each hook and each source of errors', () => {
    const table = read('docs/operating.md').split('\n| hook | called |\n')[1]?.split('\n\n')[0] ?? '';
    const union =
      read('src/hooks/webhook-hooks.ts').split('export type ErrorSource =')[1]?.split(';')[0] ?? '';
    const sources = [...union.matchAll(/'(\w+)'/g)].map(([, source = '']) => source);
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !table.includes(`\`${source}\``))).toEqual([]);
    const hooks = membersOf('src/hooks/webhook-hooks.ts', 'WebhookHooks');
    expect(hooks.filter((hook) => !table.includes(`| \`${hook}(`))).toEqual([]);
  });

  it('list each message that the engine logs', () => {
    const table =
      read('docs/operating.md').split('\n| level | message | fields |\n')[1]?.split('\n\n')[0] ?? '';
    const engine = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/^(admin|panel|testing)\//.test(file),
    );
    const messages = engine.flatMap((file) =>
      [...read(`src/${file}`).matchAll(/logger\.(?:debug|info|warn|error)\([^']*'([^']+)'/g)].map(
        ([, message = '']) => message,
      ),
    );
    expect(messages.length).toBeGreaterThan(10);
    expect(messages.filter((message) => !table.includes(`\`${message}\``))).toEqual([]);
  });

  it('explain each code of an attempt', () => {
    const guide = read('docs/retries.md');
    const unions = [
      read('src/egress/send-result.ts').split('export type SendFailureCode =')[1]?.split(';')[0],
      read('src/delivery/outcome.ts').split('export type AttemptErrorCode =')[1]?.split(';')[0],
    ];
    const codes = unions.flatMap((union = '') =>
      [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code),
    );
    expect(codes.length).toBeGreaterThan(12);
    expect(codes.filter((code) => !guide.includes(`\`${code}\``))).toEqual([]);
  });

  it('say of each code of an error where it is met', () => {
    const table = read('docs/errors.md').split('\n| code | met at | do |\n')[1]?.split('\n\n')[0] ?? '';
    const union = read('src/errors.ts').split('export type WebhookErrorCode =')[1]?.split(';')[0] ?? '';
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
  });

  it.each(documents)('trust no secret that is in print where their reader has set none: %s', (document) => {
    const blocks = [...read(document).matchAll(/^```[^\n]*\n([\s\S]*?)^```$/gm)];
    const fallbacks = blocks.flatMap(
      ([, code = '']) => code.match(/(?:\?\?|\|\||:-)\s*['"`]?whsec_\S*/g) ?? [],
    );
    expect(fallbacks).toEqual([]);
  });

  it('are each linked from the README', () => {
    expect(guides.filter((name) => !read('README.md').includes(`](docs/${name})`))).toEqual([]);
    expect(guides.length).toBeGreaterThan(8);
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
