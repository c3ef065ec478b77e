import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startExample } from '../examples/started-example.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'started-'));
  mkdirSync(join(folder, 'tmp'));
  vi.stubEnv('TMPDIR', join(folder, 'tmp'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('leaves no folder and no process of an example that is not ready in time', async () => {
  const npm = join(folder, 'npm');
  writeFileSync(npm, `#!/bin/sh\necho $$ > ${folder}/pid\nexec tail -f /dev/null\n`);
  chmodSync(npm, 0o755);
  const path = folder + delimiter + process.env.PATH;
  await expect(startExample('recipient', { PATH: path }, 3_000)).rejects.toThrow('Listening on');
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});
