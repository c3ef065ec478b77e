import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { createLookUps } from './look-ups.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/** How long one query waits for its answer before it is repeated; a lost packet must not cost a whole look-up. */
const QUERY_TIMEOUT_MS = 800;
const QUERY_TRIES = 3;

/** How much longer than the first family's answer the second one's may take (name servers that drop AAAA queries). */
const SECOND_FAMILY_MS = 500;

/** The most look-ups through the operating system at once: half of the threads that libuv has by default. */
const MAX_SYSTEM_LOOK_UPS = 2;

/** What says that this machine's name servers do not serve c-ares; nothing that a recipient's name server can cause. */
const NOT_SERVED: readonly unknown[] = ['ECONNREFUSED', 'EREFUSED'];

/** What a resolver stands on; replaced only by tests. */
export interface ResolveFoundation {
  /** Default: those of the system, read anew for every look-up. */
  readonly nameServers?: readonly string[];
  /** Default: `dns.promises.lookup`. */
  readonly lookup?: (
    hostname: string,
    options: { readonly all: true; readonly verbatim: true },
  ) => Promise<readonly ResolvedAddress[]>;
}

/**
 * Creates a resolver that asks the system's name servers for the A and AAAA records of a name, IPv4 first.
 *
 * It holds no thread and ends at once when its signal fires. Only the absolute name is asked for: with a search
 * list (`ndots:5` in Kubernetes), a relative look-up would first ask for names below the cluster's own domains.
 * Neither the hosts file nor nsswitch.conf is read. Where the name servers refuse, or c-ares does not know them
 * (Windows with c-ares 1.34.6), it goes through `getaddrinfo`, at most 2 look-ups at once.
 */
export function createSystemResolve({ nameServers, lookup = systemLookup }: ResolveFoundation = {}): Resolve {
  const throughSystem = createLookUps(
    (hostname) => lookup(`${hostname}.`, { all: true, verbatim: true }),
    MAX_SYSTEM_LOOK_UPS,
  );
  return async (hostname, { signal }) => {
    // One for each look-up, because cancelling ends all queries of a resolver; creating it takes 20 µs.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (nameServers !== undefined) resolver.setServers(nameServers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await bothFamilies(resolver, hostname);
    } catch (error) {
      if (!isNotServed(error)) throw error;
      return (await throughSystem.find(hostname)) ?? [];
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** The resolver that is used where the host brings none. */
export const systemResolve: Resolve = createSystemResolve();

/** @throws AggregateError when neither family has an address. */
async function bothFamilies(resolver: Resolver, hostname: string): Promise<readonly ResolvedAddress[]> {
  const families = [
    resolver.resolve4(hostname).then(inFamily(4)),
    resolver.resolve6(hostname).then(inFamily(6)),
  ];
  await Promise.any(families);
  const timer = setTimeout(() => resolver.cancel(), SECOND_FAMILY_MS);
  const settled = await Promise.allSettled(families);
  clearTimeout(timer);
  return settled.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
}

function inFamily(family: 4 | 6): (addresses: readonly string[]) => readonly ResolvedAddress[] {
  return (addresses) => addresses.map((address) => ({ address, family }));
}

function isNotServed(error: unknown): boolean {
  if (!(error instanceof AggregateError)) return false;
  return error.errors.some(
    (cause: unknown) => cause instanceof Error && 'code' in cause && NOT_SERVED.includes(cause.code),
  );
}
