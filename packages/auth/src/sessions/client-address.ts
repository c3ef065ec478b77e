import { isIP } from 'node:net';

/**
 * Gives the text by which an address is counted: one for every spelling of it.
 *
 * An IPv6 address counts by its /64, which is what one customer gets at least: otherwise one machine has 2^64
 * addresses to try passwords from. An IPv4-mapped one (`::ffff:192.0.2.1`, what a dual-stack socket reports) counts as
 * the IPv4 inside. What is no address at all counts as one and the same: text that a client made up must not give it
 * a fresh allowance each time.
 */
export function addressKey(address: string): string {
  const text = address.trim().replace(/%.*$/, '');
  const family = isIP(text);
  if (family === 4) return text;
  if (family !== 6) return 'no-address';
  const groups = ipv6Groups(text);
  const [, , , , , sixth, high = 0, low = 0] = groups;
  const isMapped = sixth === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of an address that `isIP` knows. */
function ipv6Groups(text: string): number[] {
  // The URL parser writes it in hex (RFC 5952), an embedded IPv4 too, between brackets.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [front = '', back] = canonical.split('::');
  const first = groupsOf(front);
  if (back === undefined) return first;
  const last = groupsOf(back);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
