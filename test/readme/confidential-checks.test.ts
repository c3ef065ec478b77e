import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { confidentialComparisons, uncheckedCredentials } from './confidential-checks.ts';
import { codeBlocksIn } from './markdown.ts';

/** The documents, the docstrings, the examples, and the apps of tests. */
const sources = [
  'docs',
  'packages/auth',
  'packages/toolkit',
  'packages/webhooks',
  'examples',
  'test/package',
].flatMap((folder) => filesBelow(folder).flatMap(programsIn));

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...entries.map((name) => `${folder}/${name}`)].filter(
    (name) =>
      /\.(md|mjs|tsx?)$/.test(name) &&
      !/node_modules|\/dist\/|(packages|examples)\/[\w-]+\/(test|bench|prove)\//.test(name),
  );
}

/** A file's program, and those in the code blocks of a document or a docstring. */
function programsIn(file: string): { readonly file: string; readonly code: string }[] {
  const text = readFileSync(join(repository, file), 'utf8');
  const samples = codeBlocksIn(text.replace(/^\s*\* ?/gm, '')).map(({ code }) => code);
  return [...(file.endsWith('.md') ? [] : [text]), ...samples].map((code) => ({ file, code }));
}

describe('the samples', () => {
  it('compare nothing confidential with ===, whose time tells how much of it is right', () => {
    expect(sources.map(({ file }) => file)).toContain('docs/frameworks/next.md');
    expect(sources.length).toBeGreaterThan(500);
    const found = sources.flatMap(({ file, code }) =>
      confidentialComparisons(code).map((comparison) => `${file}: ${comparison}`),
    );
    expect(found).toEqual([]);
  });

  it('let nobody log in whose password they have not checked', () => {
    const found = sources.flatMap(({ file, code }) =>
      uncheckedCredentials(code).map((assignment) => `${file}: ${assignment}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the search for samples that are not safe', () => {
  it.each([
    'password === process.env.ADA_PASSWORD',
    'process.env.ADA_PASSWORD === password',
    "password !== process.env['ADA_PASSWORD']",
    "password == (process.env.ADA_PASSWORD ?? '')",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    'header === `Bearer ${token}`',
  ])('finds %s', (comparison) => {
    expect(confidentialComparisons(`if (${comparison}) enter();`)).toEqual([comparison]);
  });

  it('finds a variable that holds a confidential one', () => {
    const source = 'const { API_KEY: key } = process.env; const token = process.env.TOKEN;';
    expect(confidentialComparisons(`${source} enter(given === key, token === given);`)).toHaveLength(2);
  });

  it('finds no check whether one is set', () => {
    expect(confidentialComparisons("process.env.API_KEY === undefined || process.env.TOKEN === ''")).toEqual(
      [],
    );
  });

  it('finds credentials that are never checked', () => {
    const unchecked = "{ verifyCredentials: async ({ login }) => (login === 'ada' ? { uid: '7' } : null) }";
    expect(uncheckedCredentials(`create(${unchecked});`)).toHaveLength(1);
    const checked = '{ verifyCredentials: async ({ password }) => check(password) }';
    expect(uncheckedCredentials(`create(${checked});`)).toEqual([]);
  });
});
