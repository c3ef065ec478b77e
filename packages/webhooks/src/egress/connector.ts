import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  connect as tlsConnect,
} from 'node:tls';
import { type AddressPolicy, isSameAddress } from './address-policy.ts';
import type { Resolve } from './resolve.ts';
import { resolveAddresses } from './resolve-addresses.ts';
import { failureOf, SendFailureError, tlsFailure } from './send-result.ts';

/** The most addresses of one name that are tried. */
const MAX_ADDRESSES_TRIED = 4;

/** When the next address is tried beside those that have not answered (RFC 8305 section 5). */
export const ATTEMPT_DELAY_MS = 250;

/**
 * How long an address that answered before those ahead of it comes first, unless it fails: then they
 * may be back.
 */
export const PREFERRED_MS = 600_000;

/** The most recipients with a preferred address. Beyond that, all are forgotten. */
const MAX_PREFERRED = 4_096;

/**
 * Connects to an origin. Rejects with a {@link SendFailureError}, also as soon as `signal` fires.
 */
export type Connect = (origin: string, signal: AbortSignal) => Promise<Socket>;

/** Opens a TCP connection to a literal address. */
export type OpenSocket = (address: string, port: number) => Socket;

/**
 * Receives every connection that the address policy blocked, with the reason. It is for the
 * operator only, because it reveals what a name resolved to.
 */
export type OnBlocked = (host: string, because: string) => void;

/** The parts of a guarded connector. */
export interface ConnectorOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** The time for lookup, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  readonly openSocket: OpenSocket;
  readonly trust: SecureContextOptions;
  readonly onBlocked: OnBlocked;
}

interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Opens a TCP connection without Node's own address selection, because the address is already
 * chosen.
 */
export const openTcpSocket: OpenSocket = (host, port) =>
  tcpConnect({ host, port, autoSelectFamily: false, noDelay: true, keepAlive: true });

/**
 * Creates the connector that enforces the address policy where it cannot be bypassed: in the
 * connection.
 *
 * The policy judges a literal host, which is never looked up, and every address of a name. One
 * refused address refuses them all. The socket connects to a judged address, never to the name. The
 * policy judges the connected address again before the first byte, including those of TLS. A
 * kept-alive socket has passed all of these checks.
 */
export function createGuardedConnector(options: ConnectorOptions): Connect {
  let secureContext: SecureContext | undefined;
  // Loading the certificate authorities takes milliseconds, so it happens once, for the first TLS
  // connection.
  const contextOnce = (): SecureContext => {
    secureContext ??= createSecureContext({ minVersion: 'TLSv1.2', ...options.trust });
    return secureContext;
  };

  const preferred = new Map<string, { readonly address: string; readonly until: number }>();

  /** The addresses to try, in their order: first the one that last answered before the others. */
  const inOrder = (key: string, addresses: readonly string[]): readonly string[] => {
    const { address = '', until = 0 } = preferred.get(key) ?? {};
    const isUsable = performance.now() < until && addresses.includes(address);
    return [...new Set(isUsable ? [address, ...addresses] : addresses)].slice(0, MAX_ADDRESSES_TRIED);
  };

  const establish = async (target: Target, signal: AbortSignal): Promise<Socket> => {
    const secureContext = target.secure ? contextOnce() : undefined;
    const { hostname, port } = target;
    const key = `${hostname} ${port}`;
    const addresses = inOrder(key, await reachableAddresses(hostname, options));
    try {
      const { address, socket } = await connectToAny(addresses, port, signal, options);
      const connected = secureContext && (await startTls(socket, hostname, secureContext, signal));
      if (address !== addresses[0]) {
        if (preferred.size >= MAX_PREFERRED) preferred.clear();
        preferred.set(key, { address, until: performance.now() + PREFERRED_MS });
      }
      return connected ?? socket;
    } catch (error) {
      preferred.delete(key);
      throw error;
    }
  };

  return async (origin, ending) => {
    const target = targetOf(origin);
    const stop = new AbortController();
    const giveUp = (): void => stop.abort(new SendFailureError('aborted'));
    const timer = setTimeout(() => stop.abort(new SendFailureError('timeout')), options.connectTimeoutMs);
    ending.addEventListener('abort', giveUp, { once: true });
    try {
      return await unlessAborted(establish(target, stop.signal), stop.signal);
    } catch (error) {
      const { code, detail } = failureOf(error);
      throw new SendFailureError(code, detail);
    } finally {
      clearTimeout(timer);
      ending.removeEventListener('abort', giveUp);
    }
  };
}

function targetOf(origin: string): Target {
  const { hostname, port, protocol } = new URL(origin);
  const secure = protocol === 'https:';
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 443 : 80),
    secure,
  };
}

async function reachableAddresses(hostname: string, options: ConnectorOptions): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) {
    const { reachable, because } = options.policy.judge(hostname);
    if (!reachable) throw blocked(hostname, because, options);
    return [hostname];
  }
  const resolution = await resolveAddresses(hostname.replace(/\.$/, ''), options.policy, options.resolve);
  if (resolution.kind === 'refused') throw blocked(hostname, resolution.because, options);
  if (resolution.kind === 'unresolved') throw new SendFailureError('dns_error');
  return alternatingFamilies(resolution.addresses);
}

function blocked(host: string, because: string, { onBlocked }: ConnectorOptions): SendFailureError {
  onBlocked(host, because);
  return new SendFailureError('blocked_address');
}

/**
 * Alternates between the families and keeps the resolver's order within each. IPv4 comes early
 * where IPv6 is broken.
 */
function alternatingFamilies(addresses: readonly string[]): readonly string[] {
  const first = addresses.filter((address) => isIP(address) === isIP(addresses[0] ?? ''));
  const second = addresses.filter((address) => !first.includes(address));
  return addresses.flatMap((_, index) =>
    [first.slice(index, index + 1), second.slice(index, index + 1)].flat(),
  );
}

/**
 * Races the addresses as RFC 8305 says: the next one starts once the one before has failed, or has
 * not answered for {@link ATTEMPT_DELAY_MS}. The first that answers wins, and ends the others.
 */
function connectToAny(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  options: ConnectorOptions,
): Promise<{ readonly address: string; readonly socket: Socket }> {
  const decided = new AbortController();
  const stop = AbortSignal.any([signal, decided.signal]);
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    let failures = 0;
    let timer: NodeJS.Timeout | undefined;
    const startNext = (): void => {
      clearTimeout(timer);
      const address = waiting.shift();
      if (address === undefined || stop.aborted) return;
      timer = setTimeout(startNext, ATTEMPT_DELAY_MS);
      connectTo(address, port, stop, options).then(
        (socket) => {
          clearTimeout(timer);
          if (decided.signal.aborted) socket.destroy();
          decided.abort();
          resolve({ address, socket });
        },
        (error: unknown) => {
          failures += 1;
          if (failures === addresses.length) reject(error);
          startNext();
        },
      );
    };
    startNext();
  });
}

async function connectTo(
  address: string,
  port: number,
  signal: AbortSignal,
  options: ConnectorOptions,
): Promise<Socket> {
  const { openSocket, policy } = options;
  const socket = openSocket(address, port);
  await untilEvent(socket, 'connect', signal);
  const remoteAddress = socket.remoteAddress;
  if (
    remoteAddress !== undefined &&
    isSameAddress(remoteAddress, address) &&
    policy.judge(remoteAddress).reachable
  )
    return socket;
  socket.destroy();
  // A socket without a remote address was reset as soon as it connected.
  if (remoteAddress === undefined) throw new SendFailureError('connection_reset');
  throw blocked(address, `the socket reached ${remoteAddress}`, options);
}

async function startTls(
  socket: Socket,
  hostname: string,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  // RFC 6066 section 3: a server name is a DNS name without trailing dot, never a literal address.
  const name = isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : { host: hostname };
  const secured = tlsConnect({
    ...name,
    socket,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Stated, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default for the whole process.
    rejectUnauthorized: true,
  });
  try {
    await untilEvent(secured, 'secureConnect', signal);
    return secured;
  } catch (error) {
    socket.destroy();
    throw tlsFailure(error);
  }
}

/** Waits for `event`. Destroys the socket if it fails, or if `signal` fires first. */
function untilEvent(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (conclude: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.removeListener(event, onEvent);
      socket.removeListener('close', onClose);
      conclude();
    };
    const fail = (error: unknown): void =>
      finish(() => {
        socket.destroy();
        reject(error);
      });
    const onEvent = (): void => finish(resolve);
    const onAbort = (): void => fail(signal.reason);
    const onClose = (): void => fail(new SendFailureError('connection_reset'));
    // Never removed, because an error between two owners of the socket must not crash the process.
    socket.on('error', fail);
    socket.once(event, onEvent);
    socket.once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/**
 * Settles with `work`, or rejects as soon as `signal` fires. A socket that arrives later is
 * destroyed.
 */
function unlessAborted(work: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then((socket) => (signal.aborted ? socket.destroy() : resolve(socket)), reject);
  });
}
