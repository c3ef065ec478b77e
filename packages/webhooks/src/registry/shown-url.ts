/** What stands for the query and the fragment of a URL. */
const HIDDEN = '?***';

/**
 * A webhook's URL for who may only look: `https://hooks.example.com/in?***`. Whatever follows the
 * path may be a secret, also the name of a parameter, a fragment, or how long they are.
 */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*/s, HIDDEN);
}

/** {@link HIDDEN}, also as a program encodes it. */
const MASKED = /\?(?:\*|%2a){3}/i;

/**
 * Whether a URL is made of what {@link shownUrl} answered: saved, it would replace the real one.
 */
export function isMasked(url: string): boolean {
  return MASKED.test(url);
}
