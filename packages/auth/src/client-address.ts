import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address of a client, in one spelling, and the networks that it is counted by. */
export interface ClientAddress {
  /** Without port, brackets and zone. An IPv4-mapped IPv6 address is the IPv4 address inside. */
  readonly text: string;
  /**
   * The narrowest first: the /64, /56 and /48 of an IPv6 address, or the IPv4 address alone. A
   * NAT64 address under 64:ff9b::/96 (RFC 6052) counts as the IPv4 address inside: all of IPv4
   * shares that one /64.
   */
  readonly networks: readonly string[];
}

/** An IPv6 address with a zone, brackets, port and quotes has fewer characters. */
const MAX_ADDRESS_LENGTH = 128;
/** In bits: a customer gets a /64 at least, usually a /56, and anybody can have a /48. */
const IPV6_PREFIX_LENGTHS = [64, 56, 48] as const;

/**
 * 64:ff9b::/96 in hex. Under 64:ff9b:1::/48 and other prefixes of a network's own the IPv4 address
 * may be anywhere (RFC 6052 section 2.2, RFC 8215): those count as any IPv6 address does.
 */
const NAT64_PREFIX = '0064ff9b0000000000000000';

/**
 * What proxies write around an address: `192.0.2.1:443`, `[2001:db8::1]:443`, and the quotes of RFC
 * 7239.
 */
const WRITTEN_BY_PROXIES = /^"?(?:\[([^[\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5}|([^"]*))"?$/;

/**
 * Parses the address of a client as sockets, frameworks and proxies write it: a port, brackets and
 * a zone are cut off.
 *
 * `net.isIP` decides what an address is: ipaddr.js alone would also read octal, hexadecimal and
 * shortened IPv4.
 *
 * @returns `undefined` for everything else, a list of addresses included
 */
export function parseClientAddress(written: string): ClientAddress | undefined {
  if (written.length > MAX_ADDRESS_LENGTH) return undefined;
  const [, bracketed, beforePort, bare] = WRITTEN_BY_PROXIES.exec(written.trim()) ?? [];
  const text = (bracketed ?? beforePort ?? bare ?? '').replace(/%.*$/, '');
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return { text: address.toString(), networks: [address.toString()] };
  const hex = Buffer.from(address.toByteArray()).toString('hex');
  if (hex.startsWith(NAT64_PREFIX)) {
    return { text: address.toString(), networks: [address.toByteArray().slice(-4).join('.')] };
  }
  const networks = IPV6_PREFIX_LENGTHS.map((length) => `${hex.slice(0, length / 4)}/${length}`);
  return { text: address.toString(), networks };
}

/**
 * Normalises a client's address as the host gave it. Text that is not an address stays as it is,
 * and `null`, as `headers.get` returns it, counts as `undefined`.
 *
 * @throws TypeError for anything else
 */
export function plainAddress(written: unknown): string | undefined {
  if (written === undefined || written === null) return undefined;
  if (typeof written === 'string') return parseClientAddress(written)?.text ?? written;
  throw new TypeError(`clientAddress must give text, or nothing where it is unknown, got ${typeof written}`);
}
