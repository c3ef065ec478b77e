import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Bundles packages into the CommonJS files alone; ES modules import them. Writes the licence of
 * each package that came along to `dist/licenses.md`.
 *
 * @param names packages that tsup does not take for external
 */
export function bundledPackages(names: readonly string[]): Plugin {
  return {
    name: 'bundled-packages',
    setup(build) {
      const { outExtension, outdir = 'dist' } = build.initialOptions;
      const filter = new RegExp(`^(${names.join('|')})(/|$)`);
      if (outExtension?.['.js'] !== '.cjs') {
        build.onResolve({ filter }, ({ path }) => ({ path, external: true }));
        return;
      }
      build.onEnd(({ metafile }) => {
        const folders = Object.keys(metafile?.inputs ?? {}).flatMap((file) => packageFolder(file) ?? []);
        const licences = [...new Set(folders)].sort().map(licenceOf);
        mkdirSync(outdir, { recursive: true });
        writeFileSync(join(outdir, 'licenses.md'), ['# Licenses\n', ...licences].join('\n'));
      });
    },
  };
}

/** Gives the folder of the package that a file in `node_modules` belongs to. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll(sep, '/'))?.[0];
}

/** @throws Error where a package has no file with its licence: then it must not be bundled */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence to travel along with it`);
  return `## ${name} - ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
