/**
 * Removes from `dist` what both formats declare alike: `node --import tsx share-declarations.ts
 * <dist>`, after tsup.
 *
 * tsup writes every declaration twice, as `.d.ts` and as `.d.cts`. A `.d.ts` that imports no other
 * package becomes a re-export of its `.d.cts`; the types are the same ones then in both formats. A
 * file that imports one stays: a class of a package with two formats, such as Kysely, is another
 * type in each.
 *
 * This took 46 of 290 kB from the tarball of `@acme/auth`, and source maps more than half of what
 * there was before. Minified code would take 20 to 42 kB more, but nobody can read its stack
 * traces. A `.d.cts` cannot re-export a `.d.ts`: CommonJS must not import the declarations of an ES
 * module.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [folder = 'dist'] = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
const commonJs = files.filter((file) => file.endsWith('.d.cts'));

for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(file, 'utf8');
  if (importsPackage(text)) continue;
  const twins = commonJs.filter((other) => isTwin(file, text, other));
  const [twin] = twins;
  if (twin === undefined || twins.length > 1) throw new Error(`${file} has ${twins.length} twins`);
  writeFileSync(file, `export * from './${basename(twin).replace(/\.d\.cts$/, '.cjs')}';\n`);
}

/** Node's own modules have one format, and `@standard-schema/spec` has interfaces alone. */
function importsPackage(text: string): boolean {
  return /\bfrom '(?!\.|node:|@standard-schema\/spec')/.test(text);
}

/** Files of one folder that differ in nothing but the names of what they import. */
function isTwin(file: string, text: string, other: string): boolean {
  return dirname(file) === dirname(other) && unhashed(text) === unhashed(readFileSync(other, 'utf8'));
}

function unhashed(text: string): string {
  return text.replace(/(['"]\.[^'"]*?)(-[\w-]{8})?\.c?js(?=['"])/g, '$1');
}
