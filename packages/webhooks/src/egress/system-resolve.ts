import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { createLookups } from './lookups.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/**
 * How long one query waits for its answer before it is repeated, so that a lost packet does not
 * fail the lookup.
 */
const QUERY_TIMEOUT_MS = 800;
const QUERY_TRIES = 3;

/**
 * How much longer the second family's answer may take than the first one's: some name servers drop
 * AAAA queries.
 */
const SECOND_FAMILY_MS = 500;

/**
 * The most concurrent lookups through the operating system: half of the threads that libuv has by
 * default.
 */
const MAX_SYSTEM_LOOKUPS = 2;

/** Errors of name servers that do not serve c-ares. A recipient's name server cannot cause them. */
const NOT_SERVED: readonly unknown[] = ['ECONNREFUSED', 'EREFUSED'];

/** The dependencies of a resolver. Only tests replace them. */
export interface ResolverDependencies {
  /** Default: those of the system, read again for every lookup. */
  readonly nameServers?: readonly string[];
  /** Default: `dns.promises.lookup`. */
  readonly lookup?: (
    hostname: string,
    options: { readonly all: true; readonly verbatim: true },
  ) => Promise<readonly ResolvedAddress[]>;
}

/**
 * Creates a resolver that queries the system's name servers for the A and AAAA records of a name,
 * IPv4 first.
 *
 * It occupies no thread, and ends at once when its signal fires. It queries the absolute name only:
 * with a search list (`ndots:5` in Kubernetes), a relative lookup would first try names below the
 * cluster's own domains. It reads neither the hosts file nor nsswitch.conf. If the name servers
 * refuse, or if c-ares does not know them (Windows with c-ares 1.34.6), it falls back to
 * `getaddrinfo`, with at most 2 lookups at once.
 */
export function createSystemResolve({
  nameServers,
  lookup = systemLookup,
}: ResolverDependencies = {}): Resolve {
  const throughSystem = createLookups(
    (hostname) => lookup(`${hostname}.`, { all: true, verbatim: true }),
    MAX_SYSTEM_LOOKUPS,
  );
  return async (hostname, { signal }) => {
    // One per lookup, because cancelling ends all queries of a resolver. Creating it takes 20 µs.
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

/** The default resolver. */
export const systemResolve: Resolve = createSystemResolve();

/** @throws AggregateError if neither family has an address. */
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
