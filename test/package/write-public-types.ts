/** Writes the files that `public-types.test.ts` compares: `npm run types:write`. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workspacePackages } from '../structure/workspace-package.ts';
import { publicTypesOf } from './public-types.ts';

for (const workspacePackage of workspacePackages) {
  const file = new URL(`public-types/${basename(workspacePackage.folder)}.txt`, import.meta.url);
  writeFileSync(fileURLToPath(file), publicTypesOf(workspacePackage));
}
