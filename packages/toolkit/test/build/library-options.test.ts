import { expect, it } from 'vitest';
import { libraryOptions } from '../../build/library-options.ts';

it('bundles what is published as ES modules alone, and leaves alone what it is told to', () => {
  const options = libraryOptions({ esmOnly: ['jose'], external: ['#panel-assets'] });
  expect(options).toMatchObject({ noExternal: ['jose'], external: ['#panel-assets'] });
  expect(options.esbuildPlugins).toMatchObject([{ name: 'bundled-packages' }]);
});

it('leaves no module alone by default', () => {
  expect(libraryOptions({ esmOnly: [] }).external).toEqual([]);
});
