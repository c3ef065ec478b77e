import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/admin/admin-problem.ts';
import { ROUTES } from '../../src/admin/routes/routes.ts';

const guide = readFileSync(new URL('../../docs/admin-api.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('the guide of the admin API', () => {
  it('has a row for each operation, and no other', () => {
    const rows = [...guide.matchAll(/^\| `([A-Z]+) (\/[^`]+)` \| `(\w+)` \| (\d{3}) \|$/gm)];
    const documented = rows.map(([, method, path, name, success]) => [name, method, path, Number(success)]);
    const base = '/api/admin/webhooks';
    expect(documented).toEqual(
      ROUTES.map(({ name, method, path, success }) => [name, method, base + path, success]),
    );
  });

  it('has a row for each code, with its status and meaning', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+) \|$/gm)];
    expect(rows.map(([, code, status, meaning]) => [code, Number(status), meaning])).toEqual(
      Object.entries(PROBLEMS).map(([code, { status, meaning }]) => [code, status, meaning]),
    );
  });
});

describe('the README', () => {
  it('names each operation of the admin API', () => {
    const named = [...readme.matchAll(/^\| `(GET|POST|PUT|DELETE) (\/[^`?]*)/gm)];
    const paths = named.map(([, method, path = '']) => `${method} ${path === '/' ? '' : path}`);
    expect(paths.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('names each code of its errors', () => {
    for (const code of Object.keys(PROBLEMS)) expect(readme).toContain(`\`${code}\``);
  });
});
