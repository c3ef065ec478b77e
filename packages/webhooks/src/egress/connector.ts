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

interface WaitLimits {
  readonly signal: AbortSignal;
  readonly withinMs: number;
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

  const establish = async (target: Target, signal: AbortSignal): Promise<Socket> => {
    const secureContext = target.secure ? contextOnce() : undefined;
    const addresses = await reachableAddresses(target.hostname, options);
    const socket = await connectToAny(addresses, target, signal, options);
    if (secureContext === undefined) return socket;
    const limits = { signal, withinMs: options.connectTimeoutMs };
    return startTls(socket, target.hostname, secureContext, limits);
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
  return alternatingFamilies(resolution.addresses).slice(0, MAX_ADDRESSES_TRIED);
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
 * Tries the addresses one after another, and divides the time for connecting equally between them.
 */
async function connectToAny(
  addresses: readonly string[],
  { port }: Target,
  signal: AbortSignal,
  options: ConnectorOptions,
): Promise<Socket> {
  const perAddressMs = Math.ceil(options.connectTimeoutMs / addresses.length);
  let failure: unknown = new SendFailureError('dns_error');
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await connectTo(address, port, { signal, withinMs: perAddressMs }, options);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function connectTo(
  address: string,
  port: number,
  limits: WaitLimits,
  options: ConnectorOptions,
): Promise<Socket> {
  const { openSocket, policy } = options;
  const socket = openSocket(address, port);
  await untilEvent(socket, 'connect', limits);
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
  limits: WaitLimits,
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
    await untilEvent(secured, 'secureConnect', limits);
    return secured;
  } catch (error) {
    socket.destroy();
    throw tlsFailure(error);
  }
}

/** Waits for `event`. Destroys the socket if it fails, or if a limit is reached first. */
function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { signal, withinMs }: WaitLimits,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (conclude: () => void): void => {
      clearTimeout(timer);
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
    const timer = setTimeout(fail, withinMs, new SendFailureError('timeout'));
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
