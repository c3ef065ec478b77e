import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../structure/workspace-package.ts';
import { codeBlocksIn } from './markdown.ts';

/** A TypeScript block of a README or a guide. */
export interface CodeBlock {
  /** `README.md, Guard your routes`: the file and the heading it stands under. */
  readonly title: string;
  readonly code: string;
}

const READMES = [
  'README.md',
  ...guidesIn('docs'),
  ...guidesIn('docs/operations'),
  'packages/auth/README.md',
  ...guidesIn('packages/auth/docs'),
  'packages/webhooks/README.md',
  ...guidesIn('packages/webhooks/docs'),
];

/** The guides of a folder: its own files, not those of folders in it. */
function guidesIn(folder: string): string[] {
  const files = readdirSync(join(repository, folder)).filter((name) => name.endsWith('.md'));
  return files.sort().map((name) => `${folder}/${name}`);
}

/** Every block marked `ts` in the READMEs and in the guides: each is a whole program. */
export function codeBlocks(): CodeBlock[] {
  return READMES.flatMap((file) =>
    codeBlocksIn(readFileSync(join(repository, file), 'utf8'))
      .filter(({ language }) => language === 'ts')
      .map(({ section, code }) => ({ title: `${file}, ${section}`, code })),
  );
}
