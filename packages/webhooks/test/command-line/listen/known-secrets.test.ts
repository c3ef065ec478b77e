import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followSecrets } from '../../../src/command-line/listen/known-secrets.ts';
import { generateSecret } from '../../../src/signing/secret.ts';

const terminal = { columns: 80, print: async () => {}, warn: () => {}, paint: String };
const follow = (path: string) => followSecrets({ from: 'file', path }, terminal, () => {});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-secrets-'));
  path = join(folder, 'secrets');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads a named pipe once, so that no request waits for another writer', async () => {
  const secret = generateSecret();
  execFileSync('mkfifo', [path]);
  const following = follow(path);
  const writer = await open(path, 'w');
  await writer.writeFile(secret);
  await writer.close();
  const secrets = await following;
  const known = secrets.current();
  try {
    const late = new Promise((resolve) => setTimeout(resolve, 60_000, 'late').unref());
    expect(await Promise.race([known, late])).toEqual([secret]);
  } finally {
    // A read that still waits for a writer ends.
    await (await open(path, 'r+')).close();
    await known;
  }
});

it('reads a file that PowerShell has written, in UTF-16', async () => {
  const secrets = [generateSecret(), generateSecret()];
  writeFileSync(path, `\uFEFF${secrets.join('\r\n')}\r\n`, 'utf16le');
  expect(await (await follow(path)).current()).toEqual(secrets);
});

it('reads a file again for each request, and a file that is written later', async () => {
  const [first, second] = [generateSecret(), generateSecret()];
  const secrets = await follow(path);
  expect(await secrets.current()).toEqual([]);
  writeFileSync(path, first);
  expect(await secrets.current()).toEqual([first]);
  writeFileSync(path, `${first}\n${second}`);
  expect(await secrets.current()).toEqual([first, second]);
  rmSync(path);
  expect(await secrets.current()).toEqual([first, second]);
});
