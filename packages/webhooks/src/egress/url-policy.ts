import { isIP } from 'node:net';
import { booleanOption, functionOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { parseUrl } from '../../../toolkit/src/parse-url.ts';
import { WebhookError } from '../errors.ts';
import { type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { createPortPolicy, type PortPolicy } from './port-policy.ts';
import { type PublicUrlOptions, URL_OPTION_NAMES } from './public-url-options.ts';
import type { Resolve } from './resolve.ts';
import { resolveAddresses } from './resolve-addresses.ts';
import { systemResolve } from './system-resolve.ts';

/** The longest URL, in characters. */
export const MAX_URL_LENGTH = 2048;

/** The longest host name (RFC 1035 section 2.3.4, without the trailing dot). */
const MAX_HOSTNAME_LENGTH = 253;

/**
 * A label of a host name (RFC 1035 section 2.3.4). The underscore is in use, contrary to RFC 952.
 * Whatever else the URL parser lets through (`a!b`, `*`, `"`) is a mistake, or an attack on the
 * next program that reads the name.
 */
const LABEL = /^[a-z0-9_-]{1,63}$/;

/**
 * Characters that the text of a URL must not contain: white space, control characters, backslashes,
 * lone surrogates.
 */
const UNFIT_CHARACTERS = /[\s\p{Cc}\p{Cs}\\]/u;

/**
 * Names that are internal by convention: RFC 6761 (localhost), RFC 6762 (local), ICANN resolution
 * 2024.07.29.06 (internal), RFC 8375 (home.arpa), the services of Kubernetes.
 */
const SPECIAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa', 'svc', 'cluster.local'];

/** The result of reading a URL: its parts and host, or the reason why it is refused. */
export type UrlReading =
  | { readonly kind: 'url'; readonly url: URL; readonly host: UrlHost }
  | RefusedUrl
  | RefusedAddress;

/**
 * `text` is no URL of the web; `url` is one, of which a part is refused. `code` is that of the
 * field.
 */
interface RefusedUrl {
  readonly kind: 'refused';
  readonly cause: 'text' | 'url';
  readonly code: string;
  readonly reason: string;
}

/**
 * A literal address that is refused: `reason` is for the URL's owner, `because` for the operator.
 */
interface RefusedAddress {
  readonly kind: 'refused';
  readonly cause: 'address';
  readonly reason: string;
  readonly host: string;
  readonly because: string;
}

/** A URL's host: an IP address without brackets, or a name without its trailing dot. */
export interface UrlHost {
  readonly text: string;
  readonly isAddress: boolean;
}

/** Judges every URL of one engine. Immutable. */
export interface UrlPolicy {
  /** Judges the addresses that names resolve to and that sockets connect to. */
  readonly addresses: AddressPolicy;
  readonly resolve: Resolve;
  /**
   * Judges everything about a URL that needs no lookup: its text, scheme, port, name, literal
   * address.
   */
  read(text: unknown): UrlReading;
  /** {@link assertPublicUrl} under this policy. */
  assertPublic(url: string): Promise<URL>;
}

/** The rules for reading a URL. */
interface UrlRules {
  readonly addresses: AddressPolicy;
  readonly isOpenPort: PortPolicy;
  readonly requireHttps: boolean;
}

/** What servers listen on to be reached at every address of the machine. */
const UNSPECIFIED = ['0.0.0.0', '::'];

/** Blocks in which the recipients of developers are, or are said to be. */
const LOCAL = createAddressPolicy([
  ...UNSPECIFIED,
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7'],
]);

/** For the developer who tries a recipient on the machine or network at hand. */
function localHint(host: string, text: string, { judge }: AddressPolicy): string {
  if (UNSPECIFIED.includes(host) || isLocalhost(host)) {
    const { protocol, port } = new URL(text);
    const isNamed = judge('127.0.0.1').reachable;
    const naming = isNamed ? '' : ", and name that in egress.allowedAddresses: '127.0.0.1'";
    return ` To deliver to this machine on purpose, write ${protocol}//127.0.0.1${port && `:${port}`} in its place${naming}.`;
  }
  if (isIP(host) !== 0) {
    return ` To deliver to it on purpose, name its address in egress.allowedAddresses: '${host}'.`;
  }
  return ' To deliver to it on purpose, write its IP address in its place, or a name with a dot that leads there, such as recipient.test, and name the address in egress.allowedAddresses.';
}

/** For the developer of a customer's portal. */
export const LOCAL_TENANT_ADVICE =
  "in development, egress.dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'] lets tenants use http://127.0.0.1, never the name localhost";

const NOT_PUBLIC = 'The host does not lead to a public address.';

/**
 * Accepts a URL that leads to a public address, and returns its parsed form.
 *
 * It refuses:
 * - schemes other than `http` and `https`, and more or fewer than two slashes after them,
 * - user info,
 * - ports below 1024 other than 80, 443 and `allowedPorts`,
 * - more than 2,048 characters,
 * - control characters, white space and backslashes,
 * - host names that cannot exist, single-label names and special names (`localhost`, `*.local`,
 *   `*.internal`, …),
 * - non-public addresses in any spelling, and names of which at least one address is not public.
 *
 * A name that does not resolve within 3 s is accepted. Each delivery checks again inside the
 * connection, which is what protects the network; this check only tells the owner early.
 *
 * @param options those of `egress` fit as well; `timeoutMs` has no effect here.
 * @throws WebhookError `validation_failed` for text that is no URL, such as one without a scheme;
 *   `url_not_public` for a URL that is refused. Its reason never reveals what a name resolved to.
 * @throws TypeError naming an option that is unknown or invalid.
 */
export async function assertPublicUrl(url: string, options: PublicUrlOptions = {}): Promise<URL> {
  refuseUnknownOptions('assertPublicUrl', options, [...URL_OPTION_NAMES, 'timeoutMs']);
  return createUrlPolicy(options).assertPublic(url);
}

/**
 * Creates the policy that judges URLs. It reads the options once. A later change to the host's
 * object cannot make the judgement at delivery differ from that at registration.
 *
 * @param prefix precedes an option's name in the message of a TypeError.
 * @param onLocal receives the host of a URL that was not accepted because it is local.
 * @param isOfTenants customers read the message: what helps the developer is only its cause.
 * @throws TypeError naming an option that is invalid.
 */
export function createUrlPolicy(
  options: PublicUrlOptions = {},
  prefix = '',
  onLocal: (host: string) => void = () => {},
  isOfTenants = false,
): UrlPolicy {
  const addresses = createAddressPolicy(options.allowedAddresses);
  const isOpenPort = createPortPolicy(options.allowedPorts, `${prefix}allowedPorts`);
  const requireHttps = booleanOption(`${prefix}requireHttps`, options.requireHttps, false);
  const resolve = functionOption(`${prefix}resolve`, options.resolve, systemResolve);
  const read = (text: unknown): UrlReading => readUrl(text, { addresses, isOpenPort, requireHttps });
  return Object.freeze({
    addresses,
    resolve,
    read,
    async assertPublic(text: string) {
      const reading = read(text);
      if (reading.kind === 'refused') {
        const host = localHostOf(reading, text, isOfTenants);
        if (!host) throw refusalOf(reading);
        onLocal(host);
        throw notPublic(
          reading,
          isOfTenants
            ? { cause: new Error(LOCAL_TENANT_ADVICE) }
            : { hint: localHint(host, text, addresses) },
        );
      }
      if (!reading.host.isAddress) {
        const resolution = await resolveAddresses(reading.host.text, addresses, resolve);
        if (resolution.kind === 'refused') throw notPublic({ reason: resolution.reason ?? NOT_PUBLIC });
      }
      return reading.url;
    },
  });
}

/**
 * Judges the host in the form that the WHATWG parser gives it. That resolves `0x7f.1`,
 * `2130706433`, full-width digits and invisible characters to the address that they denote.
 */
function readUrl(text: unknown, { addresses, isOpenPort, requireHttps }: UrlRules): UrlReading {
  if (typeof text !== 'string') return noUrl('The URL must be text.');
  if (text.length > MAX_URL_LENGTH) return noUrl(`The URL has more than ${MAX_URL_LENGTH} characters.`);
  if (UNFIT_CHARACTERS.test(text)) {
    return noUrl('The URL contains white space, a backslash, or a control character.');
  }
  if (!/^https?:\/\//i.test(text)) {
    return noUrl('The URL must begin with https:// or http://, as in https://example.com/hook.');
  }
  // The WHATWG parser skips further slashes. Other parsers, and people, read an empty host.
  if (/^[^:]+:\/{3}/.test(text)) return noUrl('The URL must name its host right behind the two slashes.');
  const url = parseUrl(text);
  if (url === undefined) return noUrl('The URL is malformed.');
  if (requireHttps && url.protocol !== 'https:') {
    return refused('https_required', 'The URL must begin with https://.');
  }
  if (hasUserInfo(text, url)) {
    return refused('user_info', 'The URL must not carry a user name or password.');
  }
  // The URL parser drops the scheme's default port.
  if (url.port !== '' && !isOpenPort(Number(url.port))) {
    const reason = `Port ${url.port} is not allowed: use 80, 443 or a port above 1023.`;
    return refused('port_not_allowed', reason);
  }
  return readHost(url, addresses);
}

/** Checks the parsed parts and the text, because the parser drops empty user info. */
function hasUserInfo(text: string, { username, password }: URL): boolean {
  return username !== '' || password !== '' || /^[^:]+:\/\/[^/?#]*@/.test(text);
}

function readHost(url: URL, policy: AddressPolicy): UrlReading {
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) {
    const { reachable, because } = policy.judge(bare);
    if (!reachable) return { kind: 'refused', cause: 'address', reason: NOT_PUBLIC, host: bare, because };
    return { kind: 'url', url, host: { text: bare, isAddress: true } };
  }
  const name = bare.replace(/\.$/, '');
  const labels = name.split('.');
  if (!labels.every((label) => LABEL.test(label)) || name.length > MAX_HOSTNAME_LENGTH) {
    return noUrl('The host name is malformed.');
  }
  if (labels.length === 1) return refused('local_name', 'The host must be a fully qualified name.');
  if (isLocalName(name)) return refused('local_name', 'The host name is reserved for local use.');
  return { kind: 'url', url, host: { text: name, isAddress: false } };
}

function noUrl(reason: string): UrlReading {
  return { kind: 'refused', cause: 'text', code: 'invalid_url', reason };
}

function refused(code: string, reason: string): UrlReading {
  return { kind: 'refused', cause: 'url', code, reason };
}

/**
 * The host of a refused URL if it is one of the machine or network of a developer. Of a tenant's,
 * the scheme is refused before the address.
 */
function localHostOf(
  refusal: RefusedUrl | RefusedAddress,
  text: string,
  isOfTenants: boolean,
): string | undefined {
  if (refusal.cause === 'text') return undefined;
  const host = new URL(text).hostname.replace(/\.$|[[\]]/g, '');
  if (isIP(host) === 0) return isLocalName(host) ? host : undefined;
  const isJudged = isOfTenants || refusal.cause === 'address';
  return isJudged && LOCAL.judge(host).reachable ? host : undefined;
}

/** True for a name that the public DNS has not: of one label, or reserved. */
function isLocalName(name: string): boolean {
  if (!name.includes('.')) return true;
  return SPECIAL_NAMES.some((special) => name === special || name.endsWith(`.${special}`));
}

function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function refusalOf(refusal: RefusedUrl | RefusedAddress): WebhookError {
  if (refusal.cause !== 'text') return notPublic(refusal);
  const { code, reason } = refusal;
  return new WebhookError('validation_failed', reason, { errors: [{ field: 'url', code, message: reason }] });
}

/** @param advice for the developer, who reads the error rather than its field, or prints its cause */
function notPublic(
  refusal: { readonly code?: string; readonly reason: string },
  { hint = '', cause }: { readonly hint?: string; readonly cause?: Error } = {},
): WebhookError {
  const { code = 'url_not_public', reason } = refusal;
  const errors = [{ field: 'url', code, message: reason }];
  return new WebhookError('url_not_public', `${reason}${hint}`, { errors, cause });
}
