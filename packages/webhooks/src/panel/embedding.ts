import { booleanOption } from '../../../toolkit/src/options.ts';

const MAX_ANCESTORS = 64;

export interface EmbeddingOptions {
  /**
   * Who may show the pages in a frame: `'self'` for pages of the same origin, and origins such as
   * `https://app.example.com`. At most 64. The credential must reach the framed pages: browsers
   * keep cookies from frames of other sites, so that only an application on the same site, or
   * `'self'`, needs nothing more. Default: nobody.
   */
  readonly frameAncestors?: readonly string[] | undefined;
  /**
   * Leaves out the header and the ground, for pages in a frame. They post `{ source:
   * 'acme-webhooks', type: 'height', height }` in pixels, `{ …, type: 'route', route }` and, when
   * `loginUrl` would be next, `{ …, type: 'session-ended' }` to the page around them, and go where `{ …, type: 'navigate', route }` says. A route is a path below
   * the base path, with its query. Needs `frameAncestors`, whose origins alone are told and heard.
   * Default: false.
   */
  readonly embed?: boolean | undefined;
}

export interface Embedding {
  /** Origins, and `'self'`. */
  readonly frameAncestors: readonly string[];
  readonly embed: boolean;
}

/** @throws TypeError naming the option and what it must be */
export function checkedEmbedding({ frameAncestors = [], ...options }: EmbeddingOptions): Embedding {
  if (
    !Array.isArray(frameAncestors) ||
    frameAncestors.length > MAX_ANCESTORS ||
    !frameAncestors.every(isAncestor)
  ) {
    throw new TypeError(
      `frameAncestors must be at most ${MAX_ANCESTORS} of 'self' and origins such as https://app.example.com`,
    );
  }
  const embed = booleanOption('embed', options.embed, false);
  if (embed && frameAncestors.length === 0) throw new TypeError('embed needs frameAncestors');
  return { frameAncestors: [...frameAncestors], embed };
}

function isAncestor(ancestor: unknown): boolean {
  if (ancestor === 'self') return true;
  // A wildcard could not be sent a message, and a semicolon would end the directive.
  const isOrigin = /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d+)?$/;
  if (typeof ancestor !== 'string' || !isOrigin.test(ancestor) || !URL.canParse(ancestor)) return false;
  return new URL(ancestor).origin === ancestor;
}
