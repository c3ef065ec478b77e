import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../structure/workspace-package.ts';

/** The examples outside of the workspaces: each has settings of npm and a lock file of its own. */
export const EXAMPLES: readonly string[] = readdirSync(join(repository, 'examples'))
  .filter((name) => existsSync(join(repository, 'examples', name, '.npmrc')))
  .sort();
