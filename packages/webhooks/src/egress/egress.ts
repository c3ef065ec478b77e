import type { SecureContextOptions } from 'node:tls';
import { integerOption, refuseUnknownOptions, serviceOption } from '../options.ts';
import { createConnections } from './connections.ts';
import { createGuardedConnectors, type OnBlocked, type OpenSocket, openTcpSocket } from './connector.ts';
import { createDestinations } from './destinations.ts';
import { exchange } from './exchange.ts';
import type { Resolve } from './resolve.ts';
import type { SendResult } from './send-result.ts';
import { createUrlPolicy, TIME_OPTION_NAMES, URL_OPTION_NAMES } from './url-policy.ts';

/** Where deliveries may go and how long they may take. */
export interface EgressOptions {
  /**
   * CIDR blocks that deliveries may reach although they are not public, for recipients inside the host's own
   * network: `['10.1.2.0/24']`. At most 64, none larger than /8 (IPv6: /7). Opens these blocks to whoever may register a webhook. Default: none.
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Ports that deliveries may go to beside 80, 443 and those above 1023: integers of 1–65,535, at most 64. Opens them to
   * whoever may register a webhook, on every address that deliveries may reach. Default: none.
   */
  readonly allowedPorts?: readonly number[];
  /** Refuses `http:` URLs. Default: `false`. */
  readonly requireHttps?: boolean;
  /** The time for name look-up, TCP and TLS together, 1–60,000 ms. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * The time for a whole request, the response body included, 1–120,000 ms. Default: 15,000. Once the status and headers
   * are there, the body has 1,000 ms of what is left.
   */
  readonly timeoutMs?: number;
  /**
   * Resolves a host name. What it answers is judged like any other answer.
   *
   * Default: asks the system's name servers itself, which holds no thread and reads neither the hosts file nor
   * nsswitch.conf. A resolver made of `dns.lookup` reads both; each of its look-ups holds one of libuv's threads (4
   * unless `UV_THREADPOOL_SIZE` says otherwise), so that slow names of recipients stall files, DNS and
   * cryptography of the whole process.
   */
  readonly resolve?: Resolve;
}

/** One delivery on its way out. */
export interface SendRequest {
  readonly url: string;
  /** Neither `Host` nor a header of the connection itself (`Content-Length`, `Connection`, …). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Ends the request; its result is then `aborted`, or the response where the status is already known. */
  readonly signal?: AbortSignal | undefined;
}

/** The one way out: every delivery and every test goes through it. */
export interface Egress {
  /** The longest a request takes, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Sends a POST request to a public address and gives what came back, as a value.
   *
   * Redirects are not followed, bodies are not decompressed, at most 64 KiB of a body is read. What comes back
   * is written by the recipient: hostile text.
   *
   * @throws TypeError when the request cannot be written, which no URL and no recipient can bring about.
   */
  send(request: SendRequest): Promise<SendResult>;
  /** Refuses further requests, waits for those under way (at most `timeoutMs`), closes every socket. Idempotent. */
  close(): Promise<void>;
}

/** An egress that also judges the URLs which are to be registered. */
export interface GuardedEgress extends Egress {
  /** `assertPublicUrl` under the options of this egress, by which {@link Egress.send} judges as well. */
  readonly assertPublicUrl: (url: string) => Promise<URL>;
}

/** What an egress stands on; but for `onBlocked`, replaced only by tests and by the check of the guard. */
export interface EgressFoundation {
  readonly onBlocked?: OnBlocked;
  readonly openSocket?: OpenSocket;
  readonly trust?: SecureContextOptions;
}

/** An option that is not listed here is refused: a misspelt limit would be none. */
const OPTION_NAMES: readonly (keyof EgressOptions)[] = [...URL_OPTION_NAMES, ...TIME_OPTION_NAMES];

/** Headers that decide whom a request is for or where it ends. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Creates an egress with its own connections, which enforce the address policy in the connection itself.
 *
 * @param onBlocked is told of what the policy kept from being connected to. Default: nobody is.
 * @throws TypeError naming the option, its value and its bound.
 */
export function createEgress(options: EgressOptions = {}, onBlocked: OnBlocked = () => {}): GuardedEgress {
  return createEgressOn({ onBlocked }, options);
}

/** {@link createEgress} on another foundation. Not public: a foundation decides what "connected" means. */
export function createEgressOn(foundation: EgressFoundation, options: EgressOptions = {}): GuardedEgress {
  serviceOption('egress', options, []);
  refuseUnknownOptions('egress', options, OPTION_NAMES);
  const urlPolicy = createUrlPolicy(options, 'egress.');
  const timeoutMs = integerOption('egress.timeoutMs', options.timeoutMs, {
    default: 15_000,
    min: 1,
    max: 120_000,
  });
  const connectTimeoutMs = integerOption('egress.connectTimeoutMs', options.connectTimeoutMs, {
    default: 5000,
    min: 1,
    max: 60_000,
  });

  const { openSocket = openTcpSocket, trust = {}, onBlocked = () => {} } = foundation;
  const { addresses: policy, resolve } = urlPolicy;
  const connections = createConnections(
    createGuardedConnectors({ policy, resolve, connectTimeoutMs, openSocket, trust, onBlocked }),
  );
  const destinationOf = createDestinations(urlPolicy);
  const underway = new Set<Promise<SendResult>>();
  let closing: Promise<void> | undefined;

  const shutDown = async (): Promise<void> => {
    await Promise.allSettled(underway);
    connections.destroy();
  };

  return {
    timeoutMs,
    assertPublicUrl: urlPolicy.assertPublic,
    async send({ url, headers, body, signal }) {
      if (closing !== undefined) return { kind: 'failure', code: 'closed' };
      assertSendableHeaders(headers);
      const destination = destinationOf(url);
      if (destination.kind === 'refused') {
        if (destination.cause === 'url') return { kind: 'failure', code: 'url_not_public' };
        onBlocked(destination.host, destination.because);
        return { kind: 'failure', code: 'blocked_address' };
      }
      if (signal?.aborted) return { kind: 'failure', code: 'aborted' };
      const { origin, path } = destination;
      const sending = exchange(connections, { origin, path, headers, body }, { timeoutMs, signal });
      underway.add(sending);
      try {
        return await sending;
      } finally {
        underway.delete(sending);
      }
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

function assertSendableHeaders(headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) {
    if (CONNECTION_HEADERS.has(name.toLowerCase())) {
      throw new TypeError(`The header ${name} belongs to the connection and cannot be set`);
    }
  }
}
