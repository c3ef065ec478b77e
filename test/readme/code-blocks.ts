import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../structure/workspace-package.ts';

/** A TypeScript block of a README or a guide. */
export interface CodeBlock {
  /** `README.md, Guard your routes`: the file and the heading it stands under. */
  readonly title: string;
  readonly code: string;
}

const READMES = [
  'README.md',
  'packages/auth/README.md',
  ...guidesIn('packages/auth/docs'),
  'packages/webhooks/README.md',
  ...guidesIn('packages/webhooks/docs'),
];

/** The guides of a package: the files of the folder itself. */
function guidesIn(folder: string): string[] {
  const files = readdirSync(join(repository, folder)).filter((name) => name.endsWith('.md'));
  return files.sort().map((name) => `${folder}/${name}`);
}

/** Every block marked `ts` in the READMEs and in the guides: each is a whole program. */
export function codeBlocks(): CodeBlock[] {
  return READMES.flatMap((file) => {
    const blocks: CodeBlock[] = [];
    let heading = '';
    let code: string[] | undefined;
    for (const line of readFileSync(join(repository, file), 'utf8').split('\n')) {
      if (code !== undefined && line === '```') {
        blocks.push({ title: `${file}, ${heading}`, code: `${code.join('\n')}\n` });
        code = undefined;
      } else if (code !== undefined) {
        code.push(line);
      } else if (line === '```ts') {
        code = [];
      } else if (line.startsWith('#')) {
        heading = line.replace(/^#+ /, '');
      }
    }
    return blocks;
  });
}
