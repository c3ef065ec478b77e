import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Options } from 'tsup';
import { bundledPackages } from './bundled-packages.ts';
import { lazyRequires } from './lazy-requires.ts';
import { sharedModules } from './shared-modules.ts';

export interface LibraryOptions {
  /**
   * Dependencies that are published as ES modules alone. The CommonJS files hold a copy of them,
   * for test runners that cannot `require` an ES module, such as Jest.
   */
  readonly esmOnly: readonly string[];
  /** Sources that are published once, as CommonJS: see {@link sharedModules}. */
  readonly shared: readonly string[];
  /** Modules that the build leaves alone. */
  readonly external?: readonly string[];
  /**
   * Programs of the package: they share the chunks of the library, and declare nothing. The package
   * ships them as ES modules alone.
   */
  readonly commands?: readonly string[];
}

/** One entry per published subpath. tsup takes no pattern for the declarations. */
function subpaths(): string[] {
  const folders = readdirSync('src').map((name) => `src/${name}/index.ts`);
  return ['src/index.ts', ...folders.filter((file) => existsSync(file))];
}

/** Builds one entry per published subpath, the programs, and what both formats share. */
export function libraryOptions({ esmOnly, shared, external = [], commands = [] }: LibraryOptions): Options[] {
  const common: Options = {
    // Without it tsup makes CommonJS of shared chunks by a transform that rewrites class fields and
    // loses the names of classes; with it Rollup does, and the classes are the same in both formats.
    treeshake: true,
    target: 'node20',
    platform: 'node',
    // A map is useless without the sources, and both are larger than all that is run.
    sourcemap: false,
    // The build script empties the folder.
    clean: false,
    silent: true,
  };
  const library: Options = {
    ...common,
    entry: [...subpaths(), ...commands],
    outDir: 'dist',
    format: ['esm', 'cjs'],
    // Shared chunks keep one identity per class across subpaths, in CommonJS as well.
    splitting: true,
    // What each file was made of, for the tests of what is published.
    metafile: true,
    external: [...external],
    noExternal: [...esmOnly],
    esbuildPlugins: [bundledPackages(esmOnly), sharedModules(shared)],
    plugins: [lazyRequires],
    // tsup hands `baseUrl` to the declaration build; TypeScript 6 reports it as deprecated.
    // `npm run check:types` checks the types; doing it here as well took half of the build's time.
    dts: { entry: subpaths(), compilerOptions: { ignoreDeprecations: '6.0', noCheck: true } },
  };
  const entry = Object.fromEntries(shared.map((file) => [basename(file, '.ts'), file]));
  return [library, { ...common, entry, outDir: 'dist/shared', format: ['cjs'], splitting: false }];
}
