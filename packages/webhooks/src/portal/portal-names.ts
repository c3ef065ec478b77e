import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import { isLocalTarget } from '../panel/local-target.ts';
import { isSecureUrl, isTitle } from '../panel/pages-options.ts';

interface Names {
  readonly product?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * What the texts call the application. Braces would be placeholders of the text around the name.
 *
 * @throws TypeError for a name that cannot be meant
 */
export function productOf({ product, title }: Names): string | undefined {
  const name = product ?? title;
  if (name === undefined || (isTitle(name) && !/[{}]/.test(name))) return name;
  throw new TypeError(
    'product must be a text of 1 to 60 characters on one line, without control characters, bidirectional controls or braces; title stands for it',
  );
}

/** @throws TypeError for a place that cannot be meant */
export function supportUrlOf(url: string | undefined): string | undefined {
  if (url === undefined || isLocalTarget(url) || isSecureUrl(url) || isMailAddress(url)) return url;
  throw new TypeError(
    'supportUrl must be a path such as /help, an https URL without user info or a fragment, or mailto: with an address',
  );
}

function isMailAddress(url: unknown): boolean {
  return typeof url === 'string' && isPlainLine(url) && /^mailto:[^\s?#&@]{1,64}@[^\s?#&@]{1,255}$/.test(url);
}
