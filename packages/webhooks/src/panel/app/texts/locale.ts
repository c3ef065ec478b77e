import { language } from './language.ts';

declare const navigator: { readonly languages?: readonly string[] } | undefined;

/** How dates, times and digits are written. */
export const locale: string = localeOf(language, typeof navigator === 'undefined' ? [] : navigator.languages);

/**
 * Returns the first preferred tag that is the language of the texts or a variant of it (`en-GB` for
 * `en`), or else the language itself.
 */
export function localeOf(textLanguage: string, preferred: readonly string[] = []): string {
  const prefix = `${textLanguage}-`.toLowerCase();
  const variant = preferred.find((tag) => `${tag}-`.toLowerCase().startsWith(prefix) && isTag(tag));
  return variant ?? textLanguage;
}

/** Chromium on Linux can name a locale of the system, `en-US@posix`, which `Intl` refuses. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
