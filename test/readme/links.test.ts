import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { linkedFiles } from './markdown.ts';

it.each(['docs', 'docs/operations', 'packages/auth/docs', 'packages/webhooks/docs'])(
  '%s/README.md links every guide',
  (folder) => {
    const linked = linkedFiles(readFileSync(join(repository, folder, 'README.md'), 'utf8'));
    const guides = readdirSync(join(repository, folder)).filter((name) => name.endsWith('.md'));
    expect(guides.filter((name) => name !== 'README.md' && !linked.includes(name))).toEqual([]);
  },
);
