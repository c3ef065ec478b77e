import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository, type WorkspacePackage, workspacePackages } from '../structure/workspace-package.ts';

/** A folder in which the packed tarballs are installed, as at a user's. */
export interface Installation {
  readonly folder: string;
  /** The files of one package as they came out of its tarball, sorted, with forward slashes. */
  files(name: string): string[];
  /** The size of one package's tarball. */
  packedBytes(name: string): number;
  remove(): void;
}

/**
 * Packs every package as for publishing and unpacks it into an empty folder, with nothing beside it
 * but what it declares: an import that is not declared fails here. Nothing is fetched: third-party
 * packages are links to the ones of the repository.
 *
 * @param peers - Whether the optional peers are there too
 * @param beside - Further packages of the repository
 */
export function installPackages({
  peers,
  beside = [],
}: {
  readonly peers: boolean;
  readonly beside?: readonly string[];
}): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  const packed = new Map<string, number>();
  for (const workspacePackage of workspacePackages) {
    const { manifest } = workspacePackage;
    packed.set(manifest.name, unpack(workspacePackage, join(folder, 'node_modules', manifest.name)));
    for (const name of Object.keys({
      ...manifest.dependencies,
      ...(peers ? manifest.peerDependencies : {}),
    })) {
      link(folder, name);
      link(folder, `@types/${name}`);
    }
  }
  for (const name of ['@types/node', ...beside]) link(folder, name);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return {
    folder,
    files: (name) => filesIn(join(folder, 'node_modules', name)),
    packedBytes: (name) => packed.get(name) ?? Number.NaN,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Packs a package as for publishing.
 *
 * @returns the path of the tarball, in the given folder
 */
export function pack({ folder }: Pick<WorkspacePackage, 'folder'>, destination: string): string {
  const options = ['--silent', '--ignore-scripts', '--pack-destination', destination];
  const tarball = execFileSync('npm', ['pack', ...options], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  if (!tarball.endsWith('.tgz')) throw new Error(`npm pack made no tarball of ${folder}`);
  return join(destination, tarball);
}

/** @returns the size of the tarball in bytes */
function unpack(workspacePackage: WorkspacePackage, target: string): number {
  let bytes: number;
  const parcel = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    const tarball = pack(workspacePackage, parcel);
    bytes = statSync(tarball).size;
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  } finally {
    rmSync(parcel, { recursive: true, force: true });
  }
  if (!filesIn(target).includes('dist/index.js'))
    throw new Error('Nothing is built: run `npm run build` first');
  return bytes;
}

/** Links a package of the repository; a package without separate types has no `@types`. */
function link(folder: string, name: string): void {
  const source = join(repository, 'node_modules', name);
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  try {
    readdirSync(source);
    symlinkSync(source, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const optional = code === 'ENOENT' && name.startsWith('@types/');
    if (!optional && code !== 'EEXIST') throw error;
  }
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => file.slice(folder.length + 1).replaceAll('\\', '/')).sort();
}
