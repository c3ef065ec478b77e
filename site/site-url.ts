/**
 * Where the site is. The READMEs in the tarballs link to it. A release fills it in, here and in
 * them: `SITE_URL=https://… npm run release:version`.
 */
export const SITE_URL = 'https://acme.example';
