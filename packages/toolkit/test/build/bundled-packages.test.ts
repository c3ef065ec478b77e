import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledPackages } from '../../build/bundled-packages.ts';

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-packages-'));
  // The plugin reads the files that esbuild names, relative to the folder of the build.
  process.chdir(folder);
  writeFileSync(join(folder, 'entry.js'), "export * from 'copied';\nexport * from 'copied/deep.js';\n");
  addPackage('copied', "export { b } from '@scope/inner';\n");
  writeFileSync(join(folder, 'node_modules/copied/deep.js'), 'export const deep = 1;\n');
  addPackage('@scope/inner', 'export const b = 2;\n');
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

function addPackage(name: string, code: string): void {
  const root = join(folder, 'node_modules', name);
  mkdirSync(root, { recursive: true });
  const manifest = { name, version: '1.2.3', license: 'MIT', type: 'module', main: 'index.js' };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'index.js'), code);
  writeFileSync(join(root, 'LICENCE.txt'), `Licence of ${name}\n`);
}

/** Builds the entry in one format, as tsup does, and returns its code. */
async function built(format: 'esm' | 'cjs'): Promise<string> {
  await build({
    absWorkingDir: folder,
    entryPoints: ['entry.js'],
    outdir: join(folder, 'dist'),
    bundle: true,
    metafile: true,
    format,
    platform: 'node',
    logLevel: 'silent',
    outExtension: { '.js': format === 'cjs' ? '.cjs' : '.js' },
    plugins: [bundledPackages(['copied'])],
  });
  return readFileSync(join(folder, 'dist', format === 'cjs' ? 'entry.cjs' : 'entry.js'), 'utf8');
}

describe('bundledPackages', () => {
  it('leaves the packages and their subpaths out of ES modules', async () => {
    const code = await built('esm');
    expect(code).toContain('from "copied"');
    expect(code).toContain('from "copied/deep.js"');
    expect(() => readFileSync(join(folder, 'dist/licenses.md'))).toThrow('ENOENT');
  });

  it('copies them into CommonJS files, with the licence of everything that came along, once', async () => {
    expect(await built('cjs')).not.toMatch(/require\("(copied|@scope)/);
    const licences = ['@scope/inner', 'copied'].map(
      (name) => `## ${name} - 1.2.3 (MIT)\n\nLicence of ${name}\n`,
    );
    expect(readFileSync(join(folder, 'dist/licenses.md'), 'utf8')).toBe(
      ['# Licenses\n', ...licences].join('\n'),
    );
  });

  it('refuses to copy a package that has no licence', async () => {
    rmSync('node_modules/@scope/inner/LICENCE.txt');
    await expect(built('cjs')).rejects.toThrow('@scope/inner has no licence');
  });
});
