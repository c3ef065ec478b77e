import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { workspacePackages } from '../structure/workspace-package.ts';
import { publicTypesOf } from './public-types.ts';

/** A compilation reads the declarations of every peer: seconds, and more on a busy machine. */
const COMPILATION_TIMEOUT_MS = 240_000;

it.each(workspacePackages)(
  'the public types of $manifest.name are those written down',
  (workspacePackage) => {
    const file = new URL(`public-types/${basename(workspacePackage.folder)}.txt`, import.meta.url);
    const written = readFileSync(file, 'utf8').split('\n');
    const built = publicTypesOf(workspacePackage).split('\n');
    // If the change is meant: `npm run types:write`, and read the difference.
    expect({
      added: built.filter((line) => !written.includes(line)),
      removed: written.filter((line) => !built.includes(line)),
    }).toEqual({ added: [], removed: [] });
    expect(built.join('\n') === written.join('\n')).toBe(true);
  },
  COMPILATION_TIMEOUT_MS,
);
