import { pageDocument } from './page-document.ts';

/** The language of the texts, as a BCP 47 tag. */
export const language: string = pageDocument?.documentElement.lang || 'en';
