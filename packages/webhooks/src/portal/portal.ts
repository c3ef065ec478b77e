import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import { requireUser } from '../admin/authorize.ts';
import { isLocalTarget } from '../panel/local-target.ts';
import { createPages } from '../panel/pages.ts';
import { isSecureUrl, isTitle, type PagesOptions, readPagesOptions } from '../panel/pages-options.ts';
import { PORTAL_TEXTS } from '../panel/texts/portal-texts.ts';
import { type AuthorizePortal, customerOf } from './portal-options.ts';

/** The portal as a Web fetch handler with the path that it serves. */
export interface Portal {
  /** @param native what `authorize` receives besides: `mount` gives the framework's own request */
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/** Options of {@link createPortal}. */
export interface PortalOptions extends PagesOptions {
  /** The path of the pages, without a trailing slash. Default: `/webhooks`. */
  readonly basePath?: string | undefined;
  /**
   * The path of `createPortalApi` on the same origin, such as `/api/webhooks`. Not `basePath`, nor
   * below or above it.
   */
  readonly apiPath: string;
  /**
   * The name of the application in the texts, in place of `{product}`: at most 60 characters on one
   * line, without control characters, bidirectional controls or braces. Default: `title`, or else
   * "this application".
   */
  readonly product?: string | undefined;
  /**
   * Where customers who are stuck find help: a path on the same origin, an `https` URL without
   * user info or a fragment, or `mailto:` with an address. Failures then link to it. Default: none.
   */
  readonly supportUrl?: string | undefined;
  /**
   * Identifies the visitor of a page, under the same contract as in `createPortalApi`. Without it
   * the pages are public, because they carry no data: the API authorizes everything that they show.
   * Pass it only if the credential reaches the pages, such as a cookie of path `/`. A visitor who
   * is not logged in then goes to `loginUrl` before a page appears.
   */
  readonly authorize?: AuthorizePortal | undefined;
}

/**
 * Creates the pages through which customers manage their own webhooks: those of the admin panel,
 * over the API at `apiPath`. They show what that API answers: no other tenant, no administrator,
 * and nothing of the engine. The log-in is the application's.
 *
 * The texts speak to the customer, whose own server receives. Those of `texts` go first, and may
 * have `{product}`, too.
 *
 * The pages carry no data, and load files from and send requests to this origin only. See
 * `createAdminPanel` for their policy, caching and methods.
 *
 * ```ts
 * app.use(mount(createPortal({ apiPath: '/api/webhooks', loginUrl: '/login' })));
 * ```
 *
 * @throws TypeError for an option that is missing, unknown or malformed
 */
export function createPortal(options: PortalOptions): Portal {
  const settings = readPagesOptions(options, {
    name: 'createPortal',
    others: ['product', 'supportUrl'],
    basePath: '/webhooks',
    apiPath: '/api/webhooks',
    voice: { english: PORTAL_TEXTS, product: productOf(options) },
  });
  const { authorize } = options;
  const guard =
    authorize && ((request: Request, native: unknown) => requireUser(request, authorize, native, customerOf));
  return createPages({ ...settings, supportUrl: supportUrlOf(options.supportUrl), guard });
}

interface Names {
  readonly product?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * What the texts call the application. Braces would be placeholders of the text around the name.
 *
 * @throws TypeError for a name that cannot be meant
 */
function productOf({ product, title }: Names): string | undefined {
  const name = product ?? title;
  if (name === undefined || (isTitle(name) && !/[{}]/.test(name))) return name;
  throw new TypeError(
    'product must be a text of 1 to 60 characters on one line, without control characters, bidirectional controls or braces; title stands for it',
  );
}

/** @throws TypeError for a place that cannot be meant */
function supportUrlOf(url: string | undefined): string | undefined {
  if (url === undefined || isLocalTarget(url) || isSecureUrl(url) || isMailAddress(url)) return url;
  throw new TypeError(
    'supportUrl must be a path such as /help, an https URL without user info or a fragment, or mailto: with an address',
  );
}

function isMailAddress(url: unknown): boolean {
  return typeof url === 'string' && isPlainLine(url) && /^mailto:[^\s?#&@]{1,64}@[^\s?#&@]{1,255}$/.test(url);
}
