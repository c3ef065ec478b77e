import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linkedFiles } from '../readme/markdown.ts';
import { repository } from './workspace-package.ts';

const documents = readdirSync(repository).filter((file) => file.endsWith('.md'));

it.each(documents)('%s links to files that exist', (document) => {
  const files = linkedFiles(readFileSync(join(repository, document), 'utf8'));
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});
