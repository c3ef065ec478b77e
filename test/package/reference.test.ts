import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter } from 'typedoc';
import { describe, expect, it } from 'vitest';
import { addExamples } from '../reference/examples.ts';
import { REFERENCE, referencePages } from '../reference/reference-pages.ts';
import { repository, workspacePackages } from '../structure/workspace-package.ts';

/** TypeDoc compiles a package, which takes long on a busy machine. */
const TIMEOUT_MS = 180_000;

describe.each(workspacePackages)('the API reference of $manifest.name', (workspacePackage) => {
  const { folder, manifest, subpaths } = workspacePackage;

  it(
    'is what `npm run reference:write` makes of the docstrings and examples',
    async () => {
      const pages = await referencePages(workspacePackage);
      const files = readdirSync(join(folder, REFERENCE)).filter((file) => file.endsWith('.md'));
      expect(files.sort()).toEqual([...pages.keys()]);
      const stale = files.filter(
        (file) => readFileSync(join(folder, REFERENCE, file), 'utf8') !== pages.get(file),
      );
      expect(stale).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('has a page for each subpath, headed by what an application imports', () => {
    for (const subpath of subpaths) {
      const file = subpath === '.' ? 'index.md' : `${subpath.slice(2)}.md`;
      expect(readFileSync(join(folder, REFERENCE, file), 'utf8')).toContain(
        `# ${manifest.name}${subpath.slice(1)}\n`,
      );
    }
  });
});

describe('the examples', () => {
  it(
    'are missing by their names',
    async () => {
      const application = await Application.bootstrap({
        tsconfig: join(repository, 'tsconfig.json'),
        entryPoints: ['signing', 'events'].map((name) =>
          join(repository, 'packages/webhooks/src', name, 'index.ts'),
        ),
        skipErrorChecking: true,
        logLevel: 'None',
      });
      // A folder without examples, in place of the package's own.
      application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) =>
        addExamples(project, repository),
      );
      await expect(application.convert()).rejects.toThrow(/There is no example of .*verify/);
    },
    TIMEOUT_MS,
  );
});
