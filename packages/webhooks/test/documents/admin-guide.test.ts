import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowsUnder } from '../../../../test/readme/markdown.ts';
import { PROBLEMS } from '../../src/admin/admin-problem.ts';
import { ROUTES } from '../../src/admin/routes/routes.ts';

const guide = readFileSync(new URL('../../docs/admin-api.md', import.meta.url), 'utf8');
const errors = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

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
