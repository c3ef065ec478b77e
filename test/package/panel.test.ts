import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installPackages } from './installed-packages.ts';

/** Prints the status and length of every file that the first page names. */
const PROBE = `
const panel = createAdminPanel({ apiPath: '/api/admin/webhooks' });
const get = (path) => panel(new Request('http://localhost' + path));
get('/admin/webhooks').then((page) => page.text()).then((html) => Promise.all(
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => get(path).then(async (response) =>
    [path.split('.').at(-1), response.status, (await response.text()).length])))
).then((files) => console.log(JSON.stringify(files)));
`;
const ESM = `import { createAdminPanel } from '@acme/webhooks/admin';\n${PROBE}`;
const CJS = `const { createAdminPanel } = require('@acme/webhooks/admin');\n${PROBE}`;

describe('the panel of the tarball', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = installPackages({ peers: false });
    writeFileSync(join(installation.folder, 'probe.mjs'), ESM);
    writeFileSync(join(installation.folder, 'probe.cjs'), CJS);
  });
  afterAll(() => installation.remove());

  function filesServedBy(program: string): unknown[] {
    const output = execFileSync(process.execPath, [join(installation.folder, program)], { encoding: 'utf8' });
    return JSON.parse(output);
  }

  it.each(['probe.mjs', 'probe.cjs'])('serves its files to %s', (program) => {
    expectAll(filesServedBy(program));
  });

  it.each([
    ['ESM', 'probe.mjs', 'esm', 'bundle.mjs'],
    ['CommonJS', 'probe.cjs', 'cjs', 'bundle.cjs'],
  ] as const)(
    'serves its files from a host bundled into one file of %s',
    async (_, entry, format, bundle) => {
      await build({
        entryPoints: [join(installation.folder, entry)],
        outfile: join(installation.folder, bundle),
        bundle: true,
        platform: 'node',
        format,
        // Dependencies that are CommonJS ask for modules of Node by require.
        banner: format === 'esm' ? { js: REQUIRE } : {},
        logLevel: 'error',
      });
      // Nothing beside it: neither the package nor its files.
      const alone = join(installation.folder, bundle);
      const output = execFileSync(process.execPath, [alone], { encoding: 'utf8', cwd: '/' });
      expectAll(JSON.parse(output));
    },
  );

  it('brings the licences of what is built into it', () => {
    expect(installation.files('@acme/webhooks')).toContain('dist/panel/licenses.md');
  });
});

const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

function expectAll(files: unknown[]): void {
  const [icon, ...others] = files.map((file) => (Array.isArray(file) ? file.slice(0, 2) : file));
  expect(icon).toEqual(['svg', 200]);
  // The bundler decides how many files share what the pages have in common.
  expect(others.length).toBeGreaterThanOrEqual(5);
  expect(others.filter((file) => !isDeepStrictEqual(file, ['js', 200]))).toEqual([['css', 200]]);
  expect(JSON.stringify(files)).toMatch(/\["js",200,\d{6}\]/);
}
