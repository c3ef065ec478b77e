import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';

/** The documents, the docstrings and the examples: what users copy. */
const sources = ['docs', 'packages/auth', 'packages/webhooks', 'examples', 'test/package/next-app'].flatMap(
  (folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter(
        (name) =>
          /\.(md|m?js|jsx|tsx?)$/.test(name) &&
          !/node_modules|\/dist\/|(packages|examples)\/[\w-]+\/(test|bench|prove)\//.test(name),
      ),
);
sources.push('README.md');
const read = (file: string) => readFileSync(join(repository, file), 'utf8');

it('no sample compares anything confidential with ===, whose time tells how much of it is right', () => {
  const confidential = String.raw`(?:process\.env[.[\w']*(?:KEY|SECRET|TOKEN|PASSWORD)[\w'\]]*|\`Bearer )`;
  // A comparison with `undefined`, `null` or a text tells nobody anything.
  const comparison = new RegExp(
    `[=!]==?\\s*\\(?${confidential}|${confidential}\\)?\\s*[=!]==?\\s*(?!undefined|null|['"])`,
  );
  expect(sources.filter((file) => comparison.test(read(file)))).toEqual([]);
  expect(sources.length).toBeGreaterThan(500);
});

it('no sample lets anybody log in whose password it has not checked', () => {
  // A function, up to the first line that is indented no further.
  const written = /^( *).*\bverifyCredentials(?::| =)[^\n]*=>[^\n]*(?:\n(?:\1 [^\n]*)?)*/gim;
  const found = sources.flatMap((file) =>
    [...read(file).matchAll(written)].map(([sample]) => ({ file, sample })),
  );
  expect(found.filter(({ sample }) => !/password/i.test(sample))).toEqual([]);
  expect(found).not.toEqual([]);
});
