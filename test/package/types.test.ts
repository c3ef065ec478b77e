import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consumer, isOfNest12, publishedModules } from './consumer.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/**
 * How a user's TypeScript may look a package up, and the kinds of file it is then imported from.
 */
const RESOLUTIONS = [
  {
    title: 'node16, from ES modules and from CommonJS',
    files: ['consumer.mts', 'consumer.cts'],
    options: { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  },
  {
    title: 'bundler',
    files: ['consumer.ts'],
    options: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  },
  {
    title: 'node10',
    files: ['consumer.ts'],
    options: {
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      // TypeScript 6 still resolves this way, for the many projects that do, when asked like this.
      ignoreDeprecations: '6.0',
    },
  },
];

/** A compilation reads the declarations of every peer: seconds, and more on a busy machine. */
const COMPILATION_TIMEOUT_MS = 240_000;

describe.each([
  { title: 'with every peer', peers: true, imported: publishedModules, resolutions: RESOLUTIONS },
  {
    title: 'without its optional peers',
    peers: false,
    imported: ['@acme/auth', '@acme/webhooks', '@acme/webhooks/signing'],
    // The declarations are the same files under every resolution: one tells whether they need a
    // peer.
    resolutions: RESOLUTIONS.slice(0, 1),
  },
])('a consumer $title', ({ peers, imported, resolutions }) => {
  let installation: Installation;
  beforeAll(() => {
    installation = installPackages({ peers });
  });
  afterAll(() => installation.remove());

  it.each(resolutions)(
    'compiles under $title',
    ({ title, files, options }) => {
      const folder = join(installation.folder, title.replace(/\W+/g, '-'));
      mkdirSync(folder);
      const sources = files.map((file) => join(folder, file));
      for (const source of sources) writeFileSync(source, consumer(installation.folder, imported));
      expect(errorsOf(sources, options)).toEqual([]);
    },
    COMPILATION_TIMEOUT_MS,
  );
});

/**
 * What the compiler finds wrong in the sources, and in our declarations; those of others are theirs
 * to check.
 */
function errorsOf(sources: readonly string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(sources, {
    ...options,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  });
  const ours = program.getSourceFiles().filter(({ fileName }) => {
    return sources.includes(fileName) || fileName.includes('/node_modules/@acme/');
  });
  expect(ours.length).toBeGreaterThan(sources.length);
  const errors = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  return errors
    .map((error) => {
      return `${error.file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`;
    })
    .filter((error) => !isOfNest12(error));
}
