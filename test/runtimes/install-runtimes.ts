import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPENDENCIES, pinnedVersion, runtimesFolder, runtimesSkipped } from './runtimes.ts';

/** Installs the pinned runtimes, about 1.1 GB, before the tests, unless they are there. */
export default function installRuntimes(): void {
  if (runtimesSkipped !== undefined) {
    console.warn(`skipped: ${runtimesSkipped}`);
    return;
  }
  if (Object.entries(DEPENDENCIES).every(isInstalled)) return;
  // Without links in .bin: four packages have a `node` for it.
  execFileSync('npm', ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--no-bin-links'], {
    cwd: runtimesFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function isInstalled([name, specifier]: [string, string]): boolean {
  const manifest = join(runtimesFolder, 'node_modules', name, 'package.json');
  return (
    existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === pinnedVersion(specifier)
  );
}
