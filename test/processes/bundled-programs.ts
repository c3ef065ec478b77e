import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** In here, a program finds the packages that it imports. */
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Programs that Node runs as they are. */
export interface BundledPrograms {
  /** The URL of the program that was made of a source. */
  urlOf(source: string): string;
  remove(): Promise<void>;
}

/**
 * Bundles sources once, without the packages that they import, for a file that starts them often:
 * through tsx, each start compiles all of them and takes three times as long.
 *
 * @param sources URLs of files
 */
export async function bundlePrograms(sources: readonly string[]): Promise<BundledPrograms> {
  const folder = await mkdtemp(join(MODULES, '.programs-'));
  const nameOf = (source: string) => `program-${sources.indexOf(source)}`;
  await build({
    entryPoints: sources.map((source) => ({ in: fileURLToPath(source), out: nameOf(source) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  return {
    urlOf: (source) => pathToFileURL(join(folder, `${nameOf(source)}.mjs`)).href,
    remove: () => rm(folder, { recursive: true }),
  };
}
