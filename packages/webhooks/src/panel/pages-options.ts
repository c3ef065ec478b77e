import {
  booleanOption,
  refuseNullOptions,
  refuseUnknownOptions,
  serviceOption,
} from '../../../toolkit/src/options.ts';
import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import { consoleLoggerOfHandlers } from '../logging/console-logger.ts';
import { LOGGER, type Logger, nonThrowingLogger } from '../logging/logger.ts';
import { checkedEmbedding, type Embedding, type EmbeddingOptions } from './embedding.ts';
import {
  createLanguages,
  type LanguageOption,
  type Languages,
  type TextsOption,
  type Voice,
} from './languages/languages.ts';
import { isLocalTarget } from './local-target.ts';
import { createLooks, type Looks, type ThemeOption } from './look/looks.ts';

/**
 * What the panel and the portal take. Paths are full paths as clients see them, including prefixes
 * of proxies.
 */
export interface PagesOptions extends EmbeddingOptions {
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
   * Whether files are sent compressed to clients that accept it. False for a framework that
   * compresses responses itself and drops their `Content-Encoding`, as Next does. Default: true.
   */
  readonly compress?: boolean | undefined;
  /**
   * Whether the pages offer only what reads, from the start. Pass it together with `readOnly` of
   * the API, which is what refuses changes. Default: false, until the API says so.
   */
  readonly readOnly?: boolean | undefined;
  /**
   * The language as a BCP 47 tag, such as `de` or `pt-BR`, for everybody or for each request. Texts
   * are built in for `en`, `de`, `es` and `fr`; `de-AT` takes those of `de`. Dates, times, digits
   * and plural forms follow the tag, and so does the direction of the pages. A function gets what
   * `authorize` gets, and returns one tag. A language that has no texts, neither built in nor in
   * `texts`, gives English. So do undefined, an error, an answer later than 10 s, and a malformed
   * tag of a function. Default: `en`.
   */
  readonly language?: LanguageOption | undefined;
  /**
   * Texts in place of the built-in ones, and languages that are not built in: by BCP 47 tag, room
   * and key, such as `{ de: { list: { title: 'Hooks' } } }`. Texts of `de` are also for `de-AT`,
   * unless that has texts of its own here. What is absent is as built in, or English. At most
   * 100,000 characters a language as JSON. Default: none.
   */
  readonly texts?: TextsOption | undefined;
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
   * Hears of refused themes and languages, and of an `authorize` that failed (errors), of corrected
   * themes and of malformed languages (warnings). Default: they go to `console.error` and
   * `console.warn`.
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
export interface PagesSettings
  extends Omit<PagesOptions, 'language' | 'texts' | 'theme' | keyof EmbeddingOptions>,
    Embedding {
  readonly basePath: string;
  readonly apiPath: string;
  readonly compress: boolean;
  readonly readOnly: boolean;
  /** With it, the pages have a log-in page of their own, to which `loginUrl` leads. */
  readonly loginEndpoint?: string | undefined;
  /** Where the pages lead who is stuck. */
  readonly supportUrl?: string | undefined;
  /** Refuses a visitor of a page. Without it the pages are public. @throws AdminProblem */
  readonly guard: ((request: Request, native: unknown) => Promise<unknown>) | undefined;
  readonly logger: Logger;
  readonly languages: Languages;
  readonly looks: Looks;
  readonly colorScheme: ColorScheme;
}

/** The path of the panel's own log-in page, relative to the base path. */
export const LOGIN_PAGE = 'login';

/** The path of the deliveries across webhooks, relative to the base path. */
export const DELIVERIES_PAGE = 'deliveries';

/** The path of all events, relative to the base path. */
export const CATALOG_PAGE = 'events';

const OPTION_NAMES: readonly (keyof PagesOptions)[] = [
  'statusUrl',
  'loginUrl',
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

interface GivenOptions extends PagesOptions {
  readonly basePath?: string | undefined;
  readonly apiPath: string;
  readonly authorize?: unknown;
}

/** What is said of the options of one function. */
interface Pages {
  /** Of the function that takes the options. */
  readonly name: string;
  /** The names of the options that it alone has. */
  readonly others: readonly string[];
  readonly basePath: string;
  /** An example. */
  readonly apiPath: string;
  /** To whom the texts speak, if not to an administrator. */
  readonly voice?: Voice;
}

/**
 * Reads the options that the panel and the portal have.
 *
 * @throws TypeError naming the option and what it must be
 */
export function readPagesOptions(options: GivenOptions, pages: Pages) {
  const own = ['basePath', 'apiPath', 'authorize', ...pages.others];
  refuseUnknownOptions(pages.name, options, [...OPTION_NAMES, ...own]);
  refuseNullOptions(pages.name, options);
  const { basePath = pages.basePath, apiPath, statusUrl, loginUrl, authorize } = options;
  checkPath('basePath', basePath, pages.basePath);
  checkPath('apiPath', apiPath, pages.apiPath);
  checkApart(basePath, apiPath);
  if (statusUrl !== undefined && !isLocalTarget(statusUrl)) {
    throw new TypeError('statusUrl must be a path on the same origin such as /api/auth/status');
  }
  if (loginUrl !== undefined && !isLocalTarget(loginUrl) && !isWebUrl(loginUrl)) {
    throw new TypeError(
      'loginUrl must be a path such as /login, or an http or https URL in ASCII, without user info or a fragment',
    );
  }
  if (authorize !== undefined && typeof authorize !== 'function') {
    throw new TypeError('authorize must be a function that says who makes a request');
  }
  const { colorScheme = 'auto' } = options;
  const logger = nonThrowingLogger(
    serviceOption('logger', options.logger ?? consoleLoggerOfHandlers(), LOGGER),
  );
  if (!COLOR_SCHEMES.includes(colorScheme)) {
    throw new TypeError(`colorScheme must be one of ${COLOR_SCHEMES.join(', ')}`);
  }
  return {
    basePath,
    apiPath,
    statusUrl,
    loginUrl,
    compress: booleanOption('compress', options.compress, true),
    readOnly: booleanOption('readOnly', options.readOnly, false),
    ...headerSettings(options),
    ...checkedEmbedding(options),
    colorScheme,
    logger,
    languages: createLanguages(options.language ?? 'en', options.texts ?? {}, logger, pages.voice),
    looks: createLooks(options.theme, logger),
  };
}

const MAX_TITLE_LENGTH = 60;

/** @throws TypeError for a title or a place that cannot be meant */
function headerSettings({ title, backUrl, logoutUrl }: PagesOptions) {
  if (title !== undefined && !isTitle(title)) {
    throw new TypeError(
      `title must be a text of 1 to ${MAX_TITLE_LENGTH} characters on one line, without control characters or bidirectional controls`,
    );
  }
  if (backUrl !== undefined && !isLocalTarget(backUrl) && !isSecureUrl(backUrl)) {
    throw new TypeError(
      'backUrl must be a path such as /account, or an https URL in ASCII, without user info or a fragment',
    );
  }
  if (logoutUrl !== undefined && !isLocalTarget(logoutUrl)) {
    throw new TypeError('logoutUrl must be a path on the same origin such as /api/auth/logout');
  }
  return { title, backUrl, logoutUrl };
}

/** True for text of 1 to 60 characters on one line. */
export function isTitle(title: unknown): title is string {
  if (typeof title !== 'string' || title.length > MAX_TITLE_LENGTH) return false;
  return title.trim() !== '' && isPlainLine(title);
}

/** @throws TypeError unless URL parsing leaves the path unchanged */
function checkPath(name: string, path: unknown, example: string): void {
  const isPath = typeof path === 'string' && /^(?:\/[^/?#]+)+$/.test(path);
  if (isPath && new URL(`http://localhost${path}`).pathname === path) return;
  throw new TypeError(`${name} must be a path such as ${example}, without a trailing slash`);
}

/** @throws TypeError if one of the two would answer the requests of the other */
function checkApart(basePath: string, apiPath: string): void {
  if (!isWithin(basePath, apiPath) && !isWithin(apiPath, basePath)) return;
  throw new TypeError(
    `basePath ${basePath} and apiPath ${apiPath} must not be the same, nor one below the other`,
  );
}

function isWithin(path: string, outer: string): boolean {
  return `${path}/`.startsWith(`${outer}/`);
}

export function isSecureUrl(target: unknown): boolean {
  return isWebUrl(target) && String(target).startsWith('https:');
}

/** True for a URL that every browser resolves to the host that a reader sees in it. */
function isWebUrl(target: unknown): boolean {
  if (typeof target !== 'string' || !isPlainLine(target)) return false;
  // Beyond ASCII a header cannot have it, and a reader takes one letter for another.
  if (!/^https?:\/\/[!-~]+$/.test(target)) return false;
  if (!/^https?:\/\/[^/\\#][^\\#]*$/.test(target) || !URL.canParse(target)) return false;
  const { username, password } = new URL(target);
  return username === '' && password === '';
}
