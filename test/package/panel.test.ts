import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installPackages } from './installed-packages.ts';

/** Prints the path, status and length of every file that the first page names, in German. */
const PROBE = `
const panel = createAdminPanel({ apiPath: '/api/admin/webhooks', language: 'de' });
const get = (path) => panel(new Request('http://localhost' + path));
get('/admin/webhooks').then((page) => page.text()).then((html) => Promise.all(
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => get(path).then(async (response) =>
    [path, response.status, (await response.text()).length])))
).then((files) => console.log(JSON.stringify(files)));
`;
const ESM = `import { createAdminPanel } from '@acme/webhooks/admin';\n${PROBE}`;
const CJS = `const { createAdminPanel } = require('@acme/webhooks/admin');\n${PROBE}`;

/** Path, status and length. */
type ServedFile = readonly [string, number, number];

describe('the panel of the tarball', () => {
  let installation: Installation;
  let built: readonly ServedFile[];
  beforeAll(() => {
    installation = installPackages({ peers: false });
    built = filesOfTheList(installation);
    writeFileSync(join(installation.folder, 'probe.mjs'), ESM);
    writeFileSync(join(installation.folder, 'probe.cjs'), CJS);
  });
  afterAll(() => installation.remove());

  function filesServedBy(program: string): unknown[] {
    const output = execFileSync(process.execPath, [join(installation.folder, program)], { encoding: 'utf8' });
    return JSON.parse(output);
  }

  it.each(['probe.mjs', 'probe.cjs'])('serves its files to %s', (program) => {
    expect(filesServedBy(program)).toEqual(built);
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
      expect(JSON.parse(output)).toEqual(built);
    },
  );

  it('is one stylesheet, an icon, and scripts', () => {
    const types = built.map(([path]) => path.split('.').at(-1));
    expect(types.filter((type) => type !== 'js')).toEqual(['svg', 'css']);
    expect(types).toContain('js');
  });

  it('brings the licences of what is built into it', () => {
    expect(installation.files('@acme/webhooks')).toContain('dist/panel/licenses.md');
  });
});

const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** What the list needs, in the order of its document, as the tarball's own manifest has it. */
function filesOfTheList({ folder }: Installation): ServedFile[] {
  const assets = join(folder, 'node_modules/@acme/webhooks/dist/panel/assets.cjs');
  const { page, languages, files } = createRequire(import.meta.url)(assets);
  const scripts = [languages.de.script, page.entry, ...page.scripts.list];
  const paths: string[] = [page.icon, page.colorScheme, ...page.styles, ...scripts];
  return paths.map((path) => [`/admin/webhooks/${path}`, 200, files[path].text.length]);
}
