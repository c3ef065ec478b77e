import { defineConfig } from 'tsup';
import { libraryOptions } from '../toolkit/build/library-options.ts';

export default defineConfig(
  libraryOptions({
    esmOnly: ['p-queue'],
    external: ['#panel-assets'],
    commands: ['src/command-line/main.ts'],
  }),
);
