import { createRequire } from 'node:module';
import { join } from 'node:path';
import { workspacePackages } from '../structure/workspace-package.ts';

/** Every published subpath, as a host imports it. */
export const publishedModules: readonly string[] = workspacePackages.flatMap(({ manifest, subpaths }) => {
  return subpaths.map((subpath) => `${manifest.name}${subpath.slice(1)}`);
});

/**
 * A file that imports every name which the modules have at run time, so that a type missing for one
 * fails.
 */
export function consumer(folder: string, imported: readonly string[]): string {
  const load = createRequire(join(folder, 'package.json'));
  const lines = imported.map((module, index) => {
    const names = Object.keys(load(module));
    const aliases = names.map((name) => `${name} as ${name}${index}`);
    const used = names.map((name) => `${name}${index}`);
    return `import { ${aliases.join(', ')} } from '${module}';\nexport const used${index} = [${used.join(', ')}];`;
  });
  return `${lines.join('\n')}\n`;
}

/**
 * Nest 12 is ES modules alone. Node requires them, which TypeScript 5.0 to 5.7 do not know of, and
 * later ones only under `nodenext`: in CommonJS, an app has the same error at its own imports.
 */
export function isOfNest12(error: string): boolean {
  return /@acme\/auth\/dist\/nest\/index\.d\.cts.*CommonJS module whose imports/s.test(error);
}
