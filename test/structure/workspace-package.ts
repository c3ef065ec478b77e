import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The conditions under which one published subpath is found. */
interface Conditions {
  readonly import: { readonly types: string; readonly default: string };
  readonly require: { readonly types: string; readonly default: string };
}

/** What the tests read of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, Conditions | string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<'node', string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** One of the published packages, as it lies in the work tree. */
export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The published subpaths with code, sorted: `.`, `./express`, … */
  readonly subpaths: readonly string[];
}

/** The root of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Every published package, read from disk. */
export const workspacePackages: readonly WorkspacePackage[] = ['auth', 'webhooks'].map((name) => {
  const folder = join(repository, 'packages', name);
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.json'));
  return { folder, manifest, subpaths: subpaths.sort() };
});
