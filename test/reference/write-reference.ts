/**
 * Writes the API reference of both packages: `npm run reference:write`, after a change of a
 * docstring, an example or a public type.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspacePackages } from '../structure/workspace-package.ts';
import { REFERENCE, referencePages } from './reference-pages.ts';

for (const workspacePackage of workspacePackages) {
  const folder = join(workspacePackage.folder, REFERENCE);
  const pages = await referencePages(workspacePackage);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) rmSync(join(folder, file));
  for (const [file, page] of pages) writeFileSync(join(folder, file), page);
}
