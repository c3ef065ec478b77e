import { dirname, join } from 'node:path';
import { Application, Converter } from 'typedoc';
import { describe, expect, it } from 'vitest';
import { linkedFiles } from '../readme/markdown.ts';
import { addExamples } from '../reference/examples.ts';
import { referencePages } from '../reference/reference-pages.ts';
import { repository, workspacePackages } from '../structure/workspace-package.ts';

/** TypeDoc compiles a package, which takes long on a busy machine. */
const TIMEOUT_MS = 480_000;

describe.each(workspacePackages)('the API reference of $manifest.name', (workspacePackage) => {
  const { manifest, subpaths } = workspacePackage;

  it(
    'has an index of each subpath, headed by what an application imports, and no dead link',
    async () => {
      const pages = await referencePages(workspacePackage);
      const first = pages.get('README.md');
      for (const subpath of subpaths) {
        const file = `${subpath === '.' ? 'index' : subpath.slice(2)}/README.md`;
        expect(first).toContain(`](${file})`);
        expect(pages.get(file)).toContain(`# ${manifest.name}${subpath.slice(1)}\n`);
      }
      const broken = [...pages].flatMap(([page, text]) =>
        linkedFiles(text)
          .filter((file) => file !== '')
          .map((file) => join(dirname(page), file))
          .filter((file) => !pages.has(file)),
      );
      expect(broken).toEqual([]);
    },
    TIMEOUT_MS,
  );
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
