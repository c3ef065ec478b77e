import { defineConfig } from 'tsup';
import { libraryOptions } from '../toolkit/build/library-options.ts';

export default defineConfig(libraryOptions({ esmOnly: ['jose'], shared: ['contract/store-contracts.ts'] }));
