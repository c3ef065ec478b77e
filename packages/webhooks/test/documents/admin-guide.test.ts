import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { PROBLEMS } from '../../src/admin/admin-problem.ts';
import { ROUTES } from '../../src/admin/routes/routes.ts';

const guide = readFileSync(new URL('../../docs/admin-api.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('the guide of the admin API', () => {
  it('has a row for each operation, and no other', () => {
    const rows = rowsUnder(guide, 'method and path');
    const base = '/api/admin/webhooks';
    expect(rows).toEqual(
      ROUTES.map(({ name, method, path, success }) => [
        `\`${method} ${base}${path}\``,
        `\`${name}\``,
        String(success),
      ]),
    );
  });

  it('has a row for each code, with its status and meaning', () => {
    expect(rowsUnder(guide, 'code')).toEqual(
      Object.entries(PROBLEMS).map(([code, { status, meaning }]) => [`\`${code}\``, String(status), meaning]),
    );
  });
});

describe('the README', () => {
  it('names each operation of the admin API', () => {
    const rows = rowsUnder(readme, 'method and path under `/api/admin/webhooks`');
    const named = rows.flatMap(([request = '']) => codeSpansIn(request).slice(0, 1));
    const routes = named.map((request) => request.split('?')[0]?.replace(/^[A-Z]+$/, '$& '));
    expect(routes.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('names each code of its errors', () => {
    const named = codeSpansIn(readme);
    expect(Object.keys(PROBLEMS).filter((code) => !named.includes(code))).toEqual([]);
  });
});
