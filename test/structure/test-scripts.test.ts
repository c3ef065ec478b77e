import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import workspace from '../../vitest.workspace.ts';

/** The scripts that CI runs; each selects its projects by name. */
const SCRIPTS = ['check:packages', 'test', 'test:examples', 'test:runtimes'] as const;

it('runs each project of the workspace in exactly one script', () => {
  const selected = SCRIPTS.flatMap((script) => projectsIn(manifest.scripts[script]));
  const projects = workspace.test?.projects?.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : project,
  );
  // Lists, because a project that two scripts run is a fault, too. Names are not negated: of two
  // negated ones each admits what the other excludes.
  expect(selected.toSorted()).toStrictEqual(projects?.toSorted());
});

function projectsIn(script: string): string[] {
  return [...script.matchAll(/--project (\S+)/g)].map(([, name = '']) => name);
}
