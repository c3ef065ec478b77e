import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IP address as its 4 (IPv4) or 16 (IPv6) bytes in network order. */
export type AddressBytes = readonly number[];

/** An address block: every address of the same family that shares its first `prefixLength` bits. */
export interface CidrBlock {
  readonly network: AddressBytes;
  readonly prefixLength: number;
}

/**
 * Parses an IP address as a resolver or a socket spells it. Returns `undefined` for anything else.
 *
 * `net.isIP` decides what an address is: ipaddr.js by itself would also accept octal, hexadecimal
 * and shortened IPv4. Text with a zone id (`fe80::1%eth0`), which names an interface of this
 * machine, is refused.
 *
 * A property test compares the bytes with the URL parser's reading of random spellings. That parser
 * would do in place of ipaddr.js, at ten times the cost. A parser of our own would be fifty lines
 * that every reviewer has to trust.
 */
export function parseAddress(text: string): AddressBytes | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return ipaddr.parse(isIP(text) === 6 ? withoutDottedTail(text) : text).toByteArray();
}

/**
 * ipaddr.js 2.5.0 reads the IPv4-compatible `::1.2.3.4` as the IPv4-mapped `::ffff:1.2.3.4`,
 * another address. Remove this once it distinguishes them.
 */
function withoutDottedTail(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}

/**
 * Parses a block such as `10.1.2.0/24`, or a single address as a block of one. Returns `undefined`
 * for anything else, including a network with bits set behind its prefix (`10.1.2.3/24`), which is
 * more often a typo than a block.
 */
export function parseCidr(text: string): CidrBlock | undefined {
  const slash = text.indexOf('/');
  const network = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (network === undefined) return undefined;
  const width = network.length * 8;
  if (slash === -1) return { network, prefixLength: width };
  const suffix = text.slice(slash + 1);
  const prefixLength = Number(suffix);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(suffix) || prefixLength > width) return undefined;
  const block = { network, prefixLength };
  return hasBitsBehindPrefix(block) ? undefined : block;
}

/** Tells whether `address` lies in `block`. An address of the other family never does. */
export function blockContains(block: CidrBlock, address: AddressBytes): boolean {
  if (block.network.length !== address.length) return false;
  return address.every((byte, index) => {
    const mask = byteMask(block.prefixLength, index);
    return (byte & mask) === ((block.network[index] ?? 0) & mask);
  });
}

function hasBitsBehindPrefix({ network, prefixLength }: CidrBlock): boolean {
  return network.some((byte, index) => (byte & ~byteMask(prefixLength, index) & 0xff) !== 0);
}

/** The bits of byte `index` that a prefix of `prefixLength` bits covers. */
function byteMask(prefixLength: number, index: number): number {
  const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
  return (0xff << (8 - bits)) & 0xff;
}
