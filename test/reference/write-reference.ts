/**
 * Writes the API reference of both packages to the ignored folder `reference`: `npm run reference`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { repository, workspacePackages } from '../structure/workspace-package.ts';
import { referencePages } from './reference-pages.ts';

const reference = join(repository, 'reference');
rmSync(reference, { recursive: true, force: true });
for (const workspacePackage of workspacePackages) {
  for (const [file, page] of await referencePages(workspacePackage)) {
    const path = join(reference, basename(workspacePackage.folder), file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
  }
}
console.log(`The API references are in ${reference}: auth/README.md and webhooks/README.md`);
