import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeBlocksIn } from '../../../../test/readme/markdown.ts';
import { SHIPPED } from '../signing/shipped-vectors.ts';

const BLOCKS = codeBlocksIn(readFileSync(new URL('../../docs/verifying.md', import.meta.url), 'utf8'));

describe('the command on docs/verifying.md', () => {
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  it.runIf(hasOpenssl).each(SHIPPED.signatures)('gives the signature of $name', (vector) => {
    const command = BLOCKS.find(({ section, language }) => section === 'By hand' && language === 'sh');
    const { id: ID, timestamp, body: BODY, secret: SECRET } = vector;
    const env = { PATH: process.env.PATH, ID, TIMESTAMP: String(timestamp), BODY, SECRET };
    const run = spawnSync('sh', ['-c', command?.code ?? ''], { encoding: 'utf8', env });
    expect([run.stderr, run.stdout.trim()]).toEqual(['', vector.x_webhook_signature]);
  });
});
