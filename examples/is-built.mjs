/** Whether what a build or an install made is newer than what it was made of. Needs Node alone. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** What a build reads: of the package, of the toolkit built into it, and of what is installed. */
const SOURCES = ['src', 'contract', 'package.json', 'tsup.config.ts', 'panel.vite.config.ts'];
const SHARED_SOURCES = ['toolkit/src', 'toolkit/contract', 'toolkit/build', '../package-lock.json'];

/**
 * Whether a package has been built since its sources were last changed. A build empties the folder
 * first and writes the declarations last: without them, it did not come to its end.
 */
export function isBuilt(name) {
  const sources = [...SOURCES.map((source) => join(name, source)), ...SHARED_SOURCES];
  const [code, declarations] = ['index.js', 'index.d.ts'].map((file) => join(packages, name, 'dist', file));
  return (
    existsSync(declarations) &&
    isNewest(
      code,
      sources.map((source) => join(packages, source)),
    )
  );
}

/** Whether a file is there and none of the paths was changed later, nor anything in them. */
export function isNewest(file, paths) {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  return paths.filter(existsSync).every((path) => {
    const within = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' })
      : [];
    return ['', ...within].every((name) => statSync(join(path, name)).mtimeMs <= mtimeMs);
  });
}
