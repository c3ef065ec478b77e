/**
 * The version of this package, as recipients see it in `User-Agent`. A test compares it with
 * package.json.
 */
export const VERSION = '0.0.0';
