import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Application, Converter } from 'typedoc';
import { describe, expect, it } from 'vitest';
import { linkedFiles } from '../readme/markdown.ts';
import { addExamples } from '../reference/examples.ts';
import { REFERENCE, referencePages, writtenPages } from '../reference/reference-pages.ts';
import { repository, workspacePackages } from '../structure/workspace-package.ts';

/** TypeDoc compiles a package, which takes long on a busy machine. */
const TIMEOUT_MS = 480_000;

describe.each(workspacePackages)('the API reference of $manifest.name', (workspacePackage) => {
  const { folder, manifest, subpaths } = workspacePackage;

  it(
    'is what `npm run reference:write` makes of the docstrings and examples',
    async () => {
      const pages = await referencePages(workspacePackage);
      const files = writtenPages(workspacePackage);
      expect(files).toEqual([...pages.keys()]);
      const stale = files.filter(
        (file) => readFileSync(join(folder, REFERENCE, file), 'utf8') !== pages.get(file),
      );
      expect(stale).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('links to pages that exist', () => {
    const pages = writtenPages(workspacePackage);
    const broken = pages.flatMap((page) =>
      linkedFiles(readFileSync(join(folder, REFERENCE, page), 'utf8'))
        .filter((file) => file !== '')
        .map((file) => join(dirname(page), file))
        .filter((file) => !pages.includes(file)),
    );
    expect(broken).toEqual([]);
  });

  it('has an index of each subpath, headed by what an application imports', () => {
    const first = readFileSync(join(folder, REFERENCE, 'README.md'), 'utf8');
    for (const subpath of subpaths) {
      const file = `${subpath === '.' ? 'index' : subpath.slice(2)}/README.md`;
      expect(first).toContain(`](${file})`);
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
