import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../packages/toolkit/test/in-one-test.ts';
import { rowsUnder } from '../readme/markdown.ts';
import { PEER_SETS } from '../runtimes/peers.ts';
import { RUNTIMES, versionOf, WORKERD } from '../runtimes/runtimes.ts';
import { workspacePackages } from './workspace-package.ts';

const [lowest, highest] = ['lowest', 'highest'].map(
  (end) => PEER_SETS.find((set) => set.end === end)?.releases,
);
const everyPeer = workspacePackages.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies));

describe.each(workspacePackages)('the supported releases of $manifest.name', ({ folder, manifest }) => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const peers = Object.entries(manifest.peerDependencies);

  inOneTest(peers)('begin, for %s %s, with the lowest one that is run', (name, range) => {
    expect(lowest?.[name]).toBe(firstRelease(range));
  });

  inOneTest(peers)('end, for %s %s, with the line of the highest one that is run', (name, range) => {
    expect(`${highest?.[name]}`).toMatch(new RegExp(`^${lastLine(range)}\\.`));
  });

  it('are those of the peers in the README', () => {
    const rows = peers.map(([name]) => [`\`${name}\``, lowest?.[name], highest?.[name]]);
    expect(rowsUnder(readme, 'peer')).toEqual(rows);
  });

  it('are those of the runtimes in the README', () => {
    const rows = [...RUNTIMES, WORKERD].map((runtime) => [runtime.name, minorOf(versionOf(runtime))]);
    expect(rowsUnder(readme, 'runtime').map((row) => row.slice(0, 2))).toEqual(rows);
  });

  it('begin with the releases of Node that `engines` names', () => {
    const { node } = manifest.engines;
    const run = ['Node 20', 'Node 22'].map((name) => RUNTIMES.find((runtime) => runtime.name === name));
    expect(run.map((runtime) => runtime && versionOf(runtime))).toEqual(
      [...node.matchAll(/\d+\.\d+/g)].map(([version]) => `${version}.0`),
    );
  });
});

it('no peer is run that no package names', () => {
  for (const { releases } of PEER_SETS) {
    expect(Object.keys(releases).sort()).toEqual([...new Set(everyPeer)].sort());
  }
});

/** `^4.18 || ^5` begins with 4.18.0. */
function firstRelease(range: string): string {
  const [first = ''] = /\d+(\.\d+)*/.exec(range) ?? [];
  return [...first.split('.'), '0', '0'].slice(0, 3).join('.');
}

/** The line of releases in which a range ends: `5` of `^5`, `6` of `<7`, `0.29` of `<0.30.0`. */
function lastLine(range: string): string {
  const [, operator, major = '', minor = ''] = /([<^])(\d+)(?:\.(\d+))?[.\d]*$/.exec(range) ?? [];
  if (operator === undefined) throw new Error(`${range} ends with neither ^ nor <`);
  if (operator === '^') return major;
  return major === '0' ? `0\\.${Number(minor) - 1}` : String(Number(major) - 1);
}

/** `20.19` of 20.19.0. */
function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
