import type { Resolve } from './resolve.ts';

/** What URLs are accepted: options of {@link assertPublicUrl}, and of `egress`. */
export interface PublicUrlOptions {
  /**
   * CIDR blocks that deliveries may reach although they are not public, for recipients inside the
   * host's own network: `['10.1.2.0/24']`. At most 64, none larger than /8 (IPv6: /7). Every user
   * who may register a webhook can reach these blocks. Default: none.
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Ports that deliveries may use besides 80, 443 and those above 1023: integers of 1–65,535, at
   * most 64. Every user who may register a webhook can reach them, on every address that deliveries
   * may reach. Default: none.
   */
  readonly allowedPorts?: readonly number[];
  /** Refuses `http:` URLs. Default: `false`. */
  readonly requireHttps?: boolean;
  /**
   * Resolves a host name. The address policy judges its answers like any others.
   *
   * The default queries the system's name servers directly. It occupies no thread, and reads
   * neither the hosts file nor nsswitch.conf. A resolver based on `dns.lookup` reads both, but each
   * of its lookups occupies one of libuv's threads (4 unless `UV_THREADPOOL_SIZE` says otherwise).
   * Slow names of recipients then stall file access, DNS and cryptography of the whole process.
   */
  readonly resolve?: Resolve;
}

/** The options that decide about URLs. */
export const URL_OPTION_NAMES: readonly (keyof PublicUrlOptions)[] = [
  'allowedAddresses',
  'allowedPorts',
  'requireHttps',
  'resolve',
];
