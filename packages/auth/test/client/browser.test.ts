import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { startStatusPoll } from '../../src/client/start-status-poll.ts';

const client = fileURLToPath(new URL('../../src/client/', import.meta.url));

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [],
  // TypeScript's own declarations are not in question.
  skipDefaultLibCheck: true,
};

function errorsOf(file: string, lib: readonly string[]): string[] {
  const program = ts.createProgram([file], { ...OPTIONS, lib: lib.map((name) => `lib.${name}.d.ts`) });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the client', () => {
  it('compiles without the declarations of Node, and without those of the DOM', () => {
    expect(errorsOf(join(client, 'index.ts'), ['es2023'])).toEqual([]);
  }, 240_000);

  it('asks of a page what a real page has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
    try {
      const proof = join(folder, 'proof.ts');
      const lines = [
        `import type { Browser } from '${client}browser.ts';`,
        'export const page: Browser = window;',
        '// @ts-expect-error a document is no page: the shapes tell the two apart',
        'export const other: Browser = document;',
      ];
      writeFileSync(proof, lines.join('\n'));
      expect(errorsOf(proof, ['es2023', 'dom'])).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 240_000);

  it('can be imported on a server, and says there that it needs a page', () => {
    expect(() => startStatusPoll({ url: '/auth/status' })).toThrow(
      new TypeError('startStatusPoll needs a page: call it in a browser, not while rendering on a server'),
    );
  });

  it('stays under 2.6 kB as a page loads it', async () => {
    const { gzipSync } = await import('node:zlib');
    const { outputFiles } = await build({
      entryPoints: [join(client, 'index.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThan(2_600);
  });
});
