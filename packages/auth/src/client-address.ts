import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address of a client, in one spelling, and the networks that it is counted by. */
export interface ClientAddress {
  /** Without port, brackets and zone. An IPv4-mapped IPv6 address is the IPv4 address inside. */
  readonly text: string;
  /** The narrowest first: the /64, /56 and /48 of an IPv6 address, or the IPv4 address alone. */
  readonly networks: readonly string[];
}

/** An IPv6 address with a zone, brackets, port and quotes has fewer characters. */
const MAX_ADDRESS_LENGTH = 128;
/** In bits: a customer gets a /64 at least, usually a /56, and anybody can have a /48. */
const IPV6_PREFIX_LENGTHS = [64, 56, 48] as const;

/** What proxies write around an address: `192.0.2.1:443`, `[2001:db8::1]:443`, and the quotes of RFC 7239. */
const WRITTEN_BY_PROXIES = /^"?(?:\[([^[\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5}|([^"]*))"?$/;

/**
 * Parses the address of a client as sockets, frameworks and proxies write it: a port, brackets and a zone are cut off.
 *
 * `net.isIP` decides what an address is: ipaddr.js alone would also read octal, hexadecimal and shortened IPv4.
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
  const networks = IPV6_PREFIX_LENGTHS.map((length) => `${hex.slice(0, length / 4)}/${length}`);
  return { text: address.toString(), networks };
}

/** Gives a client's address in one spelling; text that is no address stays as it is. */
export function plainAddress(written: string | undefined): string | undefined {
  return written === undefined ? undefined : (parseClientAddress(written)?.text ?? written);
}
