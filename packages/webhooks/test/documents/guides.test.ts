import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeBlocksIn, codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { literalsOf, membersOf } from '../../../../test/structure/declarations.ts';
import { ERROR_CODES } from '../../src/error-codes.ts';
import { createCounters } from '../../src/stats.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...guides.map((name) => `docs/${name}`)];
const HOOKS = 'src/hooks/webhook-hooks.ts';
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/**
 * The code spans in the first column of the table under that head: several to a row, in the order
 * of the rows.
 */
function rowsOf(document: string, ...columns: readonly string[]): string[] {
  return rowsUnder(read(document), ...columns).flatMap(([first = '']) => codeSpansIn(first));
}

describe('the guides', () => {
  it.each([
    ['docs/options.md', 'option', 'src/webhooks-options.ts', 'WebhooksOptions'],
    ['docs/retries.md', 'option of `retry`', 'src/delivery/retry-schedule.ts', 'RetryOptions'],
    ['../../docs/operations/monitoring.md', 'field', 'src/delivery/health.ts', 'EngineHealth'],
  ])(
    '%s has a row under "%s" for each member in %s (%s), and none besides',
    (document, column, file, name) => {
      const inherited =
        name === 'WebhooksOptions'
          ? [
              ...membersOf(read(HOOKS), 'WebhookHooks'),
              ...membersOf(read('src/registry/tenant-bounds.ts'), 'TenantBoundsOptions'),
            ]
          : [];
      const members = [...membersOf(read(file), name), ...inherited];
      expect(members.length).toBeGreaterThan(1);
      expect(rowsOf(document, column).sort()).toEqual(members.sort());
    },
  );

  it('say of each counter what it counts', () => {
    const rows = rowsOf('../../docs/operations/monitoring.md', 'counter');
    expect(rows.sort()).toEqual(Object.keys(createCounters()).sort());
  });

  it('name each hook and each source of errors', () => {
    const rows = rowsUnder(read('../../docs/operations/hooks-and-logs.md'), 'hook');
    const sources = literalsOf(read(HOOKS), 'ErrorSource');
    expect(sources.length).toBeGreaterThan(5);
    const told = rows.flatMap(([, called = '']) => codeSpansIn(called));
    expect(sources.filter((source) => !told.includes(source))).toEqual([]);
    const named = rows.flatMap(([hook = '']) => codeSpansIn(hook)).map((call) => call.split('(')[0]);
    expect(named.sort()).toEqual(membersOf(read(HOOKS), 'WebhookHooks').sort());
  });

  it('explain each code of an attempt', () => {
    const explained = rowsOf('docs/retries.md', 'code');
    const codes = [
      ...literalsOf(read('src/egress/send-result.ts'), 'SendFailureCode'),
      ...literalsOf(read('src/delivery/outcome.ts'), 'AttemptErrorCode'),
    ];
    expect(codes.length).toBeGreaterThan(12);
    expect(codes.filter((code) => !explained.includes(code))).toEqual([]);
  });

  it('say of each code of an error where it is met', () => {
    const rows = rowsOf('docs/errors.md', 'code', 'met at');
    const codes = Object.keys(ERROR_CODES);
    expect(codes.length).toBeGreaterThan(20);
    expect(rows.sort()).toEqual(codes.sort());
  });

  it.each(documents)('trust no secret that is in print where their reader has set none: %s', (document) => {
    const fallbacks = codeBlocksIn(read(document)).flatMap(
      ({ code }) => code.match(/(?:\?\?|\|\||:-)\s*['"`]?whsec_\S*/g) ?? [],
    );
    expect(fallbacks).toEqual([]);
  });
});
