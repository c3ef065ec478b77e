import type { SecureContextOptions } from 'node:tls';
import {
  booleanOption,
  integerOption,
  objectOption,
  refuseUnknownOptions,
} from '../../../toolkit/src/options.ts';
import { type Connections, createConnections } from './connections.ts';
import { createGuardedConnector, type OnBlocked, type OpenSocket, openTcpSocket } from './connector.ts';
import { createDestinations, type ReadDestination } from './destinations.ts';
import { exchange } from './exchange.ts';
import { type PublicUrlOptions, URL_OPTION_NAMES } from './public-url-options.ts';
import { assertSendableHeaders } from './request-bytes.ts';
import type { SendResult } from './send-result.ts';
import { createUrlPolicy, type UrlPolicy } from './url-policy.ts';

/** Limits on where deliveries may go and how long they may take. */
export interface EgressOptions extends PublicUrlOptions {
  /**
   * Accepts `http:` URLs of customers' webhooks, too, unless `requireHttps` is set: whoever is on
   * the way reads their events. Default: `false`.
   */
  readonly allowTenantHttp?: boolean;
  /**
   * CIDR blocks that customers' webhooks may reach although they are not public, over `http:` as
   * well: for demos and tests on one machine, `['127.0.0.1/32']`. Never in production: a customer
   * could read there what your network answers. `start()` warns of it. None of the other options
   * opens an address or a port to customers. Default: none.
   */
  readonly dangerouslyAllowedTenantAddresses?: readonly string[];
  /**
   * The time for a whole request, including the response body, 1–120,000 ms. Default: 15,000. A
   * third of it is for name lookup, TCP and TLS together. Once the status and headers have arrived,
   * the body has at most 1,000 ms of the remaining time.
   */
  readonly timeoutMs?: number;
}

/** One request to a recipient. */
export interface SendRequest {
  readonly url: string;
  /**
   * Whose webhook it is for: that of a tenant only reaches public addresses, over connections of
   * that tenant's own. '' for the host.
   */
  readonly tenant: string;
  /** Neither `Host` nor a header of the connection itself (`Content-Length`, `Connection`, …). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /**
   * Aborts the request. Its result is then `aborted`, or the response if the status is already
   * known.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Sends every outgoing request: deliveries and test events have no other way out. */
export interface Egress {
  /** The longest a request takes, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Sends a POST request to a public address. Resolves with the response or the failure as a value.
   *
   * It does not follow redirects or decompress bodies, and reads at most 64 KiB of a body. The
   * recipient writes the response: treat it as hostile text.
   *
   * @throws TypeError if the request cannot be written, which no URL and no recipient can cause.
   */
  send(request: SendRequest): Promise<SendResult>;
  /**
   * Refuses further requests, waits for those in flight (at most `timeoutMs`), closes every socket.
   * Idempotent.
   */
  close(): Promise<void>;
}

/** An egress that also judges the URLs of webhooks to register. */
export interface GuardedEgress extends Egress {
  /** `assertPublicUrl` with the policy for that tenant, the same that {@link Egress.send} uses. */
  readonly assertPublicUrl: (url: string, tenant: string) => Promise<URL>;
}

/**
 * The dependencies of an egress. Only tests replace others than `onBlocked` and `onLocal…`.
 */
export interface EgressDependencies {
  readonly onBlocked?: OnBlocked;
  /** Receives the host of a URL to register that was not accepted because it is local. */
  readonly onLocal?: ((host: string) => void) | undefined;
  readonly onLocalOfTenant?: ((host: string) => void) | undefined;
  readonly openSocket?: OpenSocket;
  readonly trust?: SecureContextOptions;
}

/** Other options are refused, because a misspelt limit would have no effect. */
const OPTION_NAMES: readonly (keyof EgressOptions)[] = [
  ...URL_OPTION_NAMES,
  'timeoutMs',
  'allowTenantHttp',
  'dangerouslyAllowedTenantAddresses',
];

/**
 * Creates an egress with two connection pools of its own: one for the host's webhooks, one for
 * those of tenants. Each enforces its address policy in the connection itself.
 *
 * @param reports receives the connections that the policy blocked, and local recipients. Default:
 *   they are not reported.
 * @throws TypeError naming the option, its value and its bound.
 */
export function createEgress(
  options: EgressOptions = {},
  reports: Pick<EgressDependencies, 'onBlocked' | 'onLocal' | 'onLocalOfTenant'> = {},
): GuardedEgress {
  return createEgressWith(reports, options);
}

/** How requests go out: the policy that judges them, and the connections that it judged. */
interface Way {
  readonly urlPolicy: UrlPolicy;
  readonly connections: Connections;
  readonly destinationOf: ReadDestination;
}

/** What the options mean for the webhooks of tenants, whose owners the host does not trust. */
function tenantOptions(options: EgressOptions): PublicUrlOptions {
  const name = 'egress.allowTenantHttp';
  const allowsHttp = booleanOption(name, options.allowTenantHttp, false);
  const { dangerouslyAllowedTenantAddresses: allowedAddresses = [], resolve } = options;
  const requireHttps = options.requireHttps === true || !(allowsHttp || allowedAddresses.length > 0);
  return { allowedAddresses, requireHttps, ...(resolve && { resolve }) };
}

/**
 * {@link createEgress} with other dependencies. Not public, because they decide what "connected"
 * means.
 */
export function createEgressWith(
  dependencies: EgressDependencies,
  options: EgressOptions = {},
): GuardedEgress {
  objectOption('egress', options);
  refuseUnknownOptions('egress', options, OPTION_NAMES);
  const policies = [
    createUrlPolicy(options, 'egress.', dependencies.onLocal),
    createUrlPolicy(tenantOptions(options), 'egress.', dependencies.onLocalOfTenant, true),
  ] as const;
  const timeoutMs = integerOption('egress.timeoutMs', options.timeoutMs, {
    default: 15_000,
    min: 1,
    max: 120_000,
  });

  const { openSocket = openTcpSocket, trust = {}, onBlocked = () => {} } = dependencies;
  const [ofHost, ofTenants] = policies.map((urlPolicy) => {
    const { addresses: policy, resolve } = urlPolicy;
    const connect = createGuardedConnector({
      policy,
      resolve,
      connectTimeoutMs: Math.ceil(timeoutMs / 3),
      openSocket,
      trust,
      onBlocked,
    });
    const connections = createConnections(connect);
    return { urlPolicy, connections, destinationOf: createDestinations(urlPolicy) };
  }) as [Way, Way];
  const wayOf = (tenant: string): Way => (tenant === '' ? ofHost : ofTenants);
  const inFlight = new Set<Promise<SendResult>>();
  let closing: Promise<void> | undefined;

  const shutDown = async (): Promise<void> => {
    await Promise.allSettled(inFlight);
    for (const { connections } of [ofHost, ofTenants]) connections.destroy();
  };

  return {
    timeoutMs,
    assertPublicUrl: (url, tenant) => wayOf(tenant).urlPolicy.assertPublic(url),
    async send({ url, tenant, headers, body, signal }) {
      if (closing !== undefined) return { kind: 'failure', code: 'closed' };
      assertSendableHeaders(headers);
      const { connections, destinationOf } = wayOf(tenant);
      const destination = destinationOf(url);
      if (destination.kind === 'refused') {
        if (destination.cause !== 'address') return { kind: 'failure', code: 'url_not_public' };
        onBlocked(destination.host, destination.because);
        return { kind: 'failure', code: 'blocked_address' };
      }
      const { origin, path } = destination;
      if (signal?.aborted) return { kind: 'failure', code: 'aborted' };
      const sending = exchange(connections, { origin, tenant, path, headers, body }, { timeoutMs, signal });
      inFlight.add(sending);
      try {
        return await sending;
      } finally {
        inFlight.delete(sending);
      }
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}
