import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import workspace from '../../vitest.workspace.ts';
import { repository } from './workspace-package.ts';

/** The scripts that CI runs; each selects its projects by name. */
const SCRIPTS = ['check:packages', 'test:built'] as const;

/** Where tests are that share a process. */
const TESTS = ['packages/auth/test', 'packages/toolkit/test', 'packages/webhooks/test', 'examples', 'test'];

it('runs each project of the workspace in exactly one script, those of the night in none of them', () => {
  const selected = SCRIPTS.flatMap((script) => projectsIn(manifest.scripts[script]));
  const projects = projectsOfWorkspace()
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('night-'));
  // Lists, because a project that two scripts run is a fault, too. Names are not negated: of two
  // negated ones each admits what the other excludes.
  expect(selected.toSorted()).toStrictEqual(projects.toSorted());
});

it('runs each file that replaces a module in a process of its own, and no other one', () => {
  const alone = projectsOfWorkspace()
    .filter(({ name }) => String(name).endsWith('-alone'))
    .flatMap(({ root = '', include = [] }) => include.map((file) => `${root}/${file}`));
  const files = TESTS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      // Files of the night have a process of their own anyway.
      .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.night.test.ts'))
      .filter((file) => !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );
  const replacing = files.filter((file) =>
    /^ *vi\.(?:mock|doMock)\(/m.test(readFileSync(join(repository, file), 'utf8')),
  );
  expect(replacing.toSorted()).toStrictEqual(alone.toSorted());
});

function projectsOfWorkspace() {
  return (workspace.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test ? [project.test] : [],
  );
}

function projectsIn(script: string): string[] {
  return [...script.matchAll(/--project (\S+)/g)].map(([, name = '']) => name);
}
