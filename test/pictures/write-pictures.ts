/**
 * Takes the pictures of the documents: `npm run pictures`. Only what a person would see as changed
 * belongs into a commit: no two runs give the same bytes.
 */
import { fileURLToPath } from 'node:url';
import { takePictures } from './take-pictures.ts';

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
await takePictures(process.argv[2] ?? folder);
console.log(`Taken: ${process.argv[2] ?? folder}`);
