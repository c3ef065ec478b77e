import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, workspacePackages } from './workspace-package.ts';

const MAX_LINES = 300;
const MAX_ADAPTER_LINES = 120;

/** Folders that translate one framework or one backend, and nothing else. */
const ADAPTERS = /\/src\/(express|fastify|hono|nest|fetch|mounts|bullmq|pg-boss)\//;

/** Files that may be longer, each with the reason. */
const LONGER: Readonly<Record<string, string>> = {};

/** Names that say nothing about what a file is. */
const VAGUE = /^(utils?|helpers?|common|types?|misc|shared|lib|constants)\.ts$/;

const folders = [...workspacePackages.map(({ folder }) => folder), join(repository, 'packages/toolkit')];
const files = folders.flatMap((folder) =>
  ['src', 'contract'].flatMap((part) => sourceFiles(join(folder, part))),
);

describe('the source files', () => {
  it('are named in kebab-case, for one concept', () => {
    const names = files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(basename(file)));
    expect(names).toEqual([]);
    expect(files.filter((file) => VAGUE.test(basename(file)))).toEqual([]);
  });

  it(`have at most ${MAX_LINES} lines, an adapter ${MAX_ADAPTER_LINES}`, () => {
    const long = files.filter((file) => !(file in LONGER) && isLong(file));
    expect(long.map((file) => `${file}: ${lineCount(file)} lines`)).toEqual([]);
  });

  it('never talk the compiler out of a type', () => {
    const casts = files.filter((file) =>
      /\bas\s+(unknown|any|never)\s+as\b|@ts-(ignore|expect-error|nocheck)/.test(text(file)),
    );
    expect(casts).toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|[\\/])(node_modules|dist|\.next)[\\/]/.test(name))
    .map((name) => relative(repository, join(folder, name)).split(sep).join('/'))
    .sort();
}

function isLong(file: string): boolean {
  return lineCount(file) > (ADAPTERS.test(file) ? MAX_ADAPTER_LINES : MAX_LINES);
}

function text(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

function lineCount(file: string): number {
  return text(file).split('\n').length - 1;
}
