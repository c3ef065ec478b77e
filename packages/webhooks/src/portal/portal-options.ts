import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { type ApiOptions, readApiOptions } from '../admin/api-options.ts';
import { ACTOR_BOUNDS, type AuthorizeMember, isActor } from '../admin/authorize.ts';
import type { ApiScopes } from '../admin/scopes.ts';
import { isTenant, TENANT_BOUNDS } from '../events/tenant.ts';

/** The customer's user who makes a request, as `authorize` returns it. */
export interface PortalActor {
  /**
   * 1–255 characters, one of them visible, without control characters, line separators or
   * bidirectional controls.
   */
  readonly uid: string;
  /**
   * Whose webhooks the user sees and changes: 1–64 printable characters without spaces at the ends.
   */
  readonly tenant: string;
  /** At most 1,000. `webhooks` lets the user look and change, `webhooks:read` only look. */
  readonly scopes: readonly string[];
}

/**
 * Identifies the customer's user who makes a request, from its headers only. It must not read the
 * body (503), but may read that of a `request.clone()`.
 *
 * `native` is what `mount` received: Express's or Fastify's request, Hono's context. What the
 * application's own log-in put there decides. Undefined if the handler is called without
 * `mount`.
 *
 * Null means that no user is authenticated (401). A user without a tenant, with one of another
 * shape, or without scopes is 503 and logged: what is forgotten opens nothing. A thrown error with
 * `status` 401, 403 or 503 is answered with that status, a 401 or 403 with its own `code`, if it
 * has one. Every other failure is 503, as is an answer that takes longer than 10 s.
 */
export type AuthorizePortal = AuthorizeMember<PortalActor>['authorize'];

/** What {@link createPortalApi} takes. */
export interface PortalApiOptions extends ApiOptions {
  /** Identifies the customer and its user. There is no default. */
  readonly authorize: AuthorizePortal;
  /** The full path as clients see it, without a trailing slash. Default: `/api/webhooks`. */
  readonly basePath?: string | undefined;
  /**
   * The scopes by other names, as RFC 6749 spells scopes, 1–128 characters each: `change` to change
   * and look, `read` to look. Default: `webhooks` and `webhooks:read`.
   */
  readonly scopes?: { readonly change?: string | undefined; readonly read?: string | undefined } | undefined;
}

/**
 * Reads the options of `createPortalApi`.
 *
 * @throws TypeError naming the option and its bounds
 */
export function readPortalOptions(options: PortalApiOptions) {
  const api = { name: 'createPortalApi', others: ['scopes'], basePath: '/api/webhooks' };
  const settings = readApiOptions(options, api);
  return { settings, authorize: options.authorize, scopes: scopesOf(options.scopes) };
}

function scopesOf(scopes: PortalApiOptions['scopes'] = {}): ApiScopes {
  refuseUnknownOptions('scopes', scopes, ['change', 'read']);
  const { change = 'webhooks', read = 'webhooks:read' } = scopes;
  for (const scope of [change, read]) {
    // RFC 6749 section 3.3: the scope stands in quotation marks in an answer's header.
    if (typeof scope === 'string' && /^[!#-[\]-~]{1,128}$/.test(scope)) continue;
    throw new TypeError('scopes must name scopes of 1–128 printable characters without spaces, " or \\');
  }
  // One scope for both is meant only where both say it: the other's default may change webhooks.
  if (change === read && Object.keys(scopes).length === 1) {
    throw new TypeError(`scopes must name both if ${read} is for both`);
  }
  return { change, read };
}

/** @throws TypeError unless the host's answer is a customer's user */
export function customerOf(answer: unknown): PortalActor {
  if (isActor(answer) && 'tenant' in answer) {
    const { uid, tenant, scopes } = answer;
    if (isTenant(tenant)) return { uid, tenant, scopes: [...scopes] };
  }
  throw new TypeError(
    `authorize must return null or { uid, tenant, scopes }: ${ACTOR_BOUNDS}, tenant text of ${TENANT_BOUNDS}`,
  );
}
