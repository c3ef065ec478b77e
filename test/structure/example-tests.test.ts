import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../examples/example-list.ts';
import { linkedFiles } from '../readme/markdown.ts';
import { repository } from './workspace-package.ts';

const path = (...parts: readonly string[]) => join(repository, ...parts);
const read = (...parts: readonly string[]) => readFileSync(path(...parts), 'utf8');

describe.each(EXAMPLES)('the example %s', (name) => {
  it('is started by a test, and is in the list of examples', () => {
    expect(existsSync(path('test/examples', `${name}.night.test.ts`))).toBe(true);
    expect(linkedFiles(read('examples/README.md'))).toContain(`${name}/README.md`);
  });

  it('has the versions of the workspaces', () => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read('examples', name, 'package.json'));
    const locked = JSON.parse(read('package-lock.json')).packages;
    const differing = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([dependency, version]) =>
        (locked[`node_modules/${dependency}`]?.version ?? version) !== version &&
        !String(version).startsWith('file:'),
    );
    expect(differing).toEqual([]);
  });
});
