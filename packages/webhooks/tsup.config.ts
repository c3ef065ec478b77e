import { defineConfig } from 'tsup';
import { libraryOptions } from '../toolkit/build/library-options.ts';

export default defineConfig(
  libraryOptions({
    esmOnly: ['p-queue'],
    shared: ['contract/queue-contract.ts', 'contract/storage-contract.ts', 'src/panel/texts/dictionary.ts'],
    external: ['#panel-assets'],
    commands: ['src/command-line/main.ts'],
  }),
);
