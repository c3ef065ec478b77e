import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../examples/example-list.ts';
import { repository, workspacePackages } from './workspace-package.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

const LOCK_FILES = [
  'package-lock.json',
  ...EXAMPLES.map((name) => `examples/${name}/package-lock.json`),
  'test/package/next-app/package-lock.json',
  'test/runtimes/package-lock.json',
];

describe.each(LOCK_FILES)('%s', (file) => {
  const packages = readLockFile(file);

  it('names no registry, so that it installs from a mirror as well', () => {
    const remote = Object.values(packages).filter(({ resolved }) => resolved?.includes('://'));
    expect(remote).toEqual([]);
  });

  it('holds the checksum of every package that is fetched', () => {
    const fetched = Object.entries(packages).filter(
      ([path, { link, resolved }]) =>
        path.includes('node_modules/') && !link && !resolved?.startsWith('file:'),
    );
    expect(fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });
});

describe.each(EXAMPLES)('the lock file of the example %s', (name) => {
  const packages = readLockFile(`examples/${name}/package-lock.json`);

  // `npm ci` would install what the lock file says, without a dependency that came later. To bring
  // it up to date: `npm install --package-lock-only` in the folder of the example.
  it('knows what the packages of this repository need', () => {
    const locked = workspacePackages.map(({ manifest }) => packages[`node_modules/${manifest.name}`]);
    const used = locked.flatMap((entry, index) => (entry === undefined ? [] : [{ entry, index }]));
    expect(used).not.toEqual([]);
    for (const { entry, index } of used) {
      const { dependencies, peerDependencies } = workspacePackages[index]?.manifest ?? {};
      expect(entry).toMatchObject({ dependencies, peerDependencies });
    }
  });
});

describe('the lock file of the repository', () => {
  // An install on one platform can drop the binaries of the others, and `npm ci` then fails there
  // alone.
  it('holds the optional binaries of every platform', () => {
    const packages = readLockFile('package-lock.json');
    const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ path, name })),
    );
    expect(wanted).not.toEqual([]);
    expect(wanted.filter(({ path, name }) => !isLocked(packages, path, name))).toEqual([]);
  });
});

function readLockFile(file: string): LockedPackages {
  const lock: { packages: LockedPackages } = JSON.parse(readFileSync(join(repository, file), 'utf8'));
  expect(Object.keys(lock.packages).length).toBeGreaterThan(1);
  return lock.packages;
}

/**
 * Whether a dependency has an entry where Node would look for it: below its dependant, or above.
 */
function isLocked(packages: LockedPackages, dependant: string, name: string): boolean {
  const steps = dependant.split('/node_modules/');
  const folders = steps.map((_, index) => `${steps.slice(0, index + 1).join('/node_modules/')}/`);
  return ['', ...folders].some((folder) => `${folder}node_modules/${name}` in packages);
}
