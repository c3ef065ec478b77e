import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Turns `import('…')` into a `require` at the same place, in the CommonJS files: a test runner that
 * loads CommonJS alone, such as Jest, knows no other way to load a module later. The sources load
 * late by `import()`, which every bundler follows.
 */
export const lazyRequires: Plugin = {
  name: 'lazy-requires',
  renderChunk(code) {
    if (this.format !== 'cjs') return undefined;
    return { code: code.replace(/\bimport\(("[^"]+")\)/g, 'Promise.resolve().then(() => require($1))') };
  },
};
