/**
 * Writes the API reference of both packages: `npm run reference:write`, after a change of a
 * docstring, an example or a public type.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspacePackages } from '../structure/workspace-package.ts';
import { REFERENCE, referencePages, writtenPages } from './reference-pages.ts';

for (const workspacePackage of workspacePackages) {
  const folder = join(workspacePackage.folder, REFERENCE);
  const pages = await referencePages(workspacePackage);
  for (const file of writtenPages(workspacePackage)) rmSync(join(folder, file));
  for (const [file, page] of pages) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), page);
  }
}
