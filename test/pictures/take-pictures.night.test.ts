import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped } from '../services/chromium.ts';
import { repository } from '../structure/workspace-package.ts';
import { pictureFiles, takePictures } from './take-pictures.ts';

const FOLDER = join(repository, 'docs/pictures');
/** What the pictures of one colour scheme may weigh: a visitor loads those of one. */
const MAX_TOTAL_BYTES = 1_000_000;
const PICTURES_TIMEOUT_MS = 240_000;

it.skipIf(chromiumSkipped)(
  'takes every picture from a demo that runs',
  { timeout: PICTURES_TIMEOUT_MS },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acme-pictures-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await takePictures(folder);
    for (const file of pictureFiles()) {
      const bytes = await readFile(join(folder, file));
      expect(bytes.subarray(8, 12).toString(), file).toBe('WEBP');
      // A page without its content weighs far less.
      expect(bytes.length, file).toBeGreaterThan(8_000);
    }
    expect(await weightIn(folder)).toBeLessThan(MAX_TOTAL_BYTES);
  },
);

it('shows every picture in the README, and those of a scheme weigh at most 1 MB', async () => {
  const readme = await readFile(join(repository, 'README.md'), 'utf8');
  for (const file of pictureFiles()) {
    expect(existsSync(join(FOLDER, file)), file).toBe(true);
    expect(readme).toContain(`docs/pictures/${file}`);
  }
  expect(await weightIn(FOLDER)).toBeLessThan(MAX_TOTAL_BYTES);
});

/** Of the scheme that weighs more. */
async function weightIn(folder: string): Promise<number> {
  const sizes = await Promise.all(
    ['light', 'dark'].map(async (scheme) => {
      const files = pictureFiles().filter((file) => file.includes(scheme));
      const each = await Promise.all(files.map((file) => stat(join(folder, file))));
      return each.reduce((sum, { size }) => sum + size, 0);
    }),
  );
  return Math.max(...sizes);
}
