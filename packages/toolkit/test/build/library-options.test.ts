import { afterEach, beforeEach, expect, it } from 'vitest';
import { libraryOptions } from '../../build/library-options.ts';

const folder = process.cwd();

// A build runs in the folder of its package.
beforeEach(() => process.chdir(new URL('../../../auth', import.meta.url).pathname));
afterEach(() => process.chdir(folder));

it('bundles what is published as ES modules alone, and leaves alone what it is told to', () => {
  const options = libraryOptions({ esmOnly: ['jose'], external: ['#panel-assets'] });
  expect(options).toMatchObject({ noExternal: ['jose'], external: ['#panel-assets'] });
  expect(options.esbuildPlugins).toMatchObject([{ name: 'bundled-packages' }]);
});

it('leaves no module alone by default', () => {
  expect(libraryOptions({ esmOnly: [] }).external).toEqual([]);
});

it('declares each subpath, and no program', () => {
  const { entry, dts } = libraryOptions({ esmOnly: [], commands: ['src/command-line/main.ts'] });
  expect(entry).toEqual(
    expect.arrayContaining(['src/index.ts', 'src/hono/index.ts', 'src/command-line/main.ts']),
  );
  expect(dts).toMatchObject({ entry: expect.not.arrayContaining(['src/command-line/main.ts']) });
});
