import { defineConfig } from 'tsup';

/** One entry per published subpath: `src/index.ts` and every `src/<name>/index.ts`. */
export default defineConfig({
  entry: ['src/index.ts', 'src/*/index.ts'],
  outDir: 'dist',
  format: ['esm', 'cjs'],
  // Shared chunks keep one identity per class across subpaths, in CommonJS as well.
  splitting: true,
  // Without it tsup makes CommonJS of shared chunks by a transform that rewrites class fields and
  // loses the names of classes; with it Rollup does, and the classes are the same in both formats.
  treeshake: true,
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  clean: true,
  silent: true,
  // tsup hands `baseUrl` to the declaration build; TypeScript 6 reports it as deprecated.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
});
