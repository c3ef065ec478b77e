import { booleanOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import type { Authorize } from '../admin/authorize.ts';
import { consoleLogger } from '../logging/console-logger.ts';
import { LOGGER, type Logger, nonThrowingLogger } from '../logging/logger.ts';
import { checkedEmbedding, type Embedding, type EmbeddingOptions } from './embedding.ts';
import { isLocalTarget } from './local-target.ts';
import { createLooks, type Looks, type ThemeOption } from './look/looks.ts';
import { checkedLanguage, type PanelLanguage } from './texts/checked-language.ts';
import { checkedTexts } from './texts/checked-texts.ts';
import type { PanelTexts } from './texts/dictionary.ts';

/**
 * Options of {@link createAdminPanel}. Paths are full paths as clients see them, including prefixes
 * of proxies.
 */
export interface AdminPanelOptions extends EmbeddingOptions {
  /** The path of the pages, without a trailing slash. Default: `/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /** The path of `createAdminApi` on the same origin, such as `/api/admin/webhooks`. */
  readonly apiPath: string;
  /**
   * A path on the same origin that renews the session's cookies, such as the status endpoint of
   * `@acme/auth`. The page sends it one `POST` when the API answers 401, and repeats its request
   * after a 2xx. Default: none.
   */
  readonly statusUrl?: string | undefined;
  /**
   * The log-in page: a path, or an `http(s)` URL, without user info or a fragment. The page goes
   * there when the session has ended, and adds the parameter `return_to`: the path and query of the
   * page to return to. Default: none; the page then only says that the session has ended.
   */
  readonly loginUrl?: string | undefined;
  /**
   * A path on the same origin that logs in, such as the log-in endpoint of `@acme/auth`. The panel
   * then has a log-in page of its own at `basePath/login`, which POSTs `{ login, password }` there
   * as JSON. The page and the panel's files are public, also with `authorize`. Not together with
   * `loginUrl`. Default: none.
   */
  readonly loginEndpoint?: string | undefined;
  /**
   * Identifies the visitor of a page, under the same contract as in `createAdminApi`. Without it
   * the pages are public, because they carry no data: the API authorizes everything that they show.
   * Pass it only if the credential reaches the pages: a cookie of path `/api/admin` never reaches
   * `/admin`.
   */
  readonly authorize?: Authorize | undefined;
  /**
   * Whether files are sent compressed to clients that accept it. False for a framework that
   * compresses responses itself and drops their `Content-Encoding`, as Next does. Default: true.
   */
  readonly compress?: boolean | undefined;
  /**
   * Whether the pages offer only what reads, from the start. Pass it together with `readOnly` of
   * `createAdminApi`, which is what refuses changes. Default: false, until the API says so.
   */
  readonly readOnly?: boolean | undefined;
  /**
   * The language of the texts as a BCP 47 tag, such as `de` or `pt-BR`. Dates, times, digits and
   * plural forms follow it, and so does the direction of the pages. Default: `en`.
   */
  readonly language?: string | undefined;
  /**
   * Texts in place of the built-in English ones, by room and key. At most 100,000 characters as
   * JSON. Default: none.
   */
  readonly texts?: PanelTexts | undefined;
  /**
   * The name of the application, in the header. At most 60 characters on one line, without control
   * characters or bidirectional controls. Default: none.
   */
  readonly title?: string | undefined;
  /**
   * The look: colours, logo, font, corners and density, for everybody or for each request. The
   * function gets what `authorize` gets; undefined, an error and an answer later than 10 s give the
   * built-in look. Default: none.
   */
  readonly theme?: ThemeOption | undefined;
  /**
   * `light` or `dark` for a single scheme, without a choice for the visitor. Default: `auto`, the
   * system's until the visitor chooses.
   */
  readonly colorScheme?: ColorScheme | undefined;
  /**
   * Hears of refused themes (errors) and of corrected ones (warnings). Default: errors go to
   * `console.error`.
   */
  readonly logger?: Logger | undefined;
  /**
   * Where the header leads back to: a path on the same origin, or an `https` URL, without
   * user info or a fragment. Default: none.
   */
  readonly backUrl?: string | undefined;
  /**
   * A path on the same origin that ends the session, such as the log-out endpoint of `@acme/auth`.
   * The header then has a button that POSTs there, and goes to the log-in page after a 2xx.
   * Default: none.
   */
  readonly logoutUrl?: string | undefined;
}

export type ColorScheme = 'light' | 'dark' | 'auto';

const COLOR_SCHEMES: readonly ColorScheme[] = ['light', 'dark', 'auto'];

/** The validated options, with defaults applied. */
export interface PanelSettings
  extends Omit<AdminPanelOptions, 'language' | 'theme' | 'logger' | keyof EmbeddingOptions>,
    Embedding {
  readonly basePath: string;
  readonly compress: boolean;
  readonly readOnly: boolean;
  /** With `loginEndpoint`: the panel's own log-in page. */
  readonly loginUrl: string | undefined;
  readonly language: PanelLanguage;
  readonly looks: Looks;
  readonly colorScheme: ColorScheme;
}

/** The path of the panel's own log-in page, relative to the base path. */
export const LOGIN_PAGE = 'login';

/** The path of the deliveries across webhooks, relative to the base path. */
export const DELIVERIES_PAGE = 'deliveries';

/** The path of all events, relative to the base path. */
export const CATALOG_PAGE = 'events';

const OPTION_NAMES: readonly (keyof AdminPanelOptions)[] = [
  'basePath',
  'apiPath',
  'statusUrl',
  'loginUrl',
  'loginEndpoint',
  'authorize',
  'compress',
  'readOnly',
  'language',
  'texts',
  'title',
  'theme',
  'colorScheme',
  'frameAncestors',
  'embed',
  'backUrl',
  'logoutUrl',
  'logger',
];

/** @throws TypeError naming the option and what it must be */
export function panelSettings(options: AdminPanelOptions): PanelSettings {
  refuseUnknownOptions('createAdminPanel', options, OPTION_NAMES);
  const { basePath = '/admin/webhooks', apiPath, statusUrl, loginEndpoint, authorize } = options;
  checkPath('basePath', basePath, '/admin/webhooks');
  checkPath('apiPath', apiPath, '/api/admin/webhooks');
  if (statusUrl !== undefined && !isLocalTarget(statusUrl)) {
    throw new TypeError('statusUrl must be a path on the same origin such as /api/admin/auth/status');
  }
  if (authorize !== undefined && typeof authorize !== 'function') {
    throw new TypeError('authorize must be a function that says who makes a request');
  }
  const { colorScheme = 'auto', logger = consoleLogger() } = options;
  if (!COLOR_SCHEMES.includes(colorScheme)) {
    throw new TypeError(`colorScheme must be one of ${COLOR_SCHEMES.join(', ')}`);
  }
  const language = checkedLanguage(options.language ?? 'en');
  return {
    basePath,
    apiPath,
    statusUrl,
    loginUrl: loginUrlOf(options, basePath),
    loginEndpoint,
    authorize,
    compress: booleanOption('compress', options.compress, true),
    readOnly: booleanOption('readOnly', options.readOnly, false),
    language,
    texts: options.texts === undefined ? undefined : checkedTexts(options.texts, language.tag),
    ...headerSettings(options),
    ...checkedEmbedding(options),
    colorScheme,
    looks: createLooks(options.theme, nonThrowingLogger(serviceOption('logger', logger, LOGGER))),
  };
}

const MAX_TITLE_LENGTH = 60;

/** @throws TypeError for a title or a place that cannot be meant */
function headerSettings({ title, backUrl, logoutUrl }: AdminPanelOptions) {
  if (title !== undefined && !isTitle(title)) {
    throw new TypeError(
      `title must be a text of 1 to ${MAX_TITLE_LENGTH} characters on one line, without control characters or bidirectional controls`,
    );
  }
  if (backUrl !== undefined && !isLocalTarget(backUrl) && !isSecureUrl(backUrl)) {
    throw new TypeError(
      'backUrl must be a path such as /admin, or an https URL, without user info or a fragment',
    );
  }
  if (logoutUrl !== undefined && !isLocalTarget(logoutUrl)) {
    throw new TypeError('logoutUrl must be a path on the same origin such as /api/admin/auth/logout');
  }
  return { title, backUrl, logoutUrl };
}

function isTitle(title: unknown): boolean {
  if (typeof title !== 'string' || title.length > MAX_TITLE_LENGTH) return false;
  return title.trim() !== '' && isPlainLine(title);
}

/** @throws TypeError for a log-in page or endpoint that cannot be meant, or for both */
function loginUrlOf({ loginUrl, loginEndpoint }: AdminPanelOptions, basePath: string): string | undefined {
  if (loginUrl !== undefined && !isLocalTarget(loginUrl) && !isWebUrl(loginUrl)) {
    throw new TypeError(
      'loginUrl must be a path such as /admin/login, or an http or https URL, without user info or a fragment',
    );
  }
  if (loginEndpoint === undefined) return loginUrl;
  if (loginUrl !== undefined) {
    throw new TypeError(
      'loginUrl and loginEndpoint exclude each other: loginUrl is a page of yours, loginEndpoint is for the page of the panel',
    );
  }
  const loginPage = `${basePath}/${LOGIN_PAGE}`;
  if (!isLocalTarget(loginEndpoint) || loginEndpoint.split('?', 1)[0] === loginPage) {
    throw new TypeError(
      `loginEndpoint must be a path on the same origin such as /api/admin/auth/login, and not that of the page, ${loginPage}`,
    );
  }
  return loginPage;
}

/** @throws TypeError unless URL parsing leaves the path unchanged */
function checkPath(name: string, path: unknown, example: string): void {
  const isPath = typeof path === 'string' && /^(?:\/[^/?#]+)+$/.test(path);
  if (isPath && new URL(`http://localhost${path}`).pathname === path) return;
  throw new TypeError(`${name} must be a path such as ${example}, without a trailing slash`);
}

function isSecureUrl(target: unknown): boolean {
  return isWebUrl(target) && String(target).startsWith('https:');
}

/** True for a URL that every browser resolves to the host that a reader sees in it. */
function isWebUrl(target: unknown): boolean {
  if (typeof target !== 'string' || !isPlainLine(target)) return false;
  if (!/^https?:\/\/[^/\\#\s][^\\#\s]*$/.test(target) || !URL.canParse(target)) return false;
  const { username, password } = new URL(target);
  return username === '' && password === '';
}
