/**
 * Writes the API reference of both packages for browsers, one folder each:
 * `write-reference.ts <folder>`.
 */
import { basename, join } from 'node:path';
import { writeReferenceSite } from '../test/reference/reference-pages.ts';
import { workspacePackages } from '../test/structure/workspace-package.ts';

const [out = ''] = process.argv.slice(2);
for (const workspacePackage of workspacePackages) {
  await writeReferenceSite(workspacePackage, join(out, basename(workspacePackage.folder)));
}
