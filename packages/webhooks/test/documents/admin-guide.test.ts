import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { PROBLEMS } from '../../src/admin/admin-problem.ts';
import { ROUTES } from '../../src/admin/routes/routes.ts';

const guide = readFileSync(new URL('../../docs/admin-api.md', import.meta.url), 'utf8');
const errors = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
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
});

describe('the guide of errors', () => {
  it('has a row for each code of the admin API, with its status and meaning', () => {
    expect(rowsUnder(errors, 'code', 'status', 'when')).toEqual(
      Object.entries(PROBLEMS).map(([code, { status, problem }]) => [`\`${code}\``, String(status), problem]),
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
});
