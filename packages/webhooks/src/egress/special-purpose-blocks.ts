/** An address block to which webhooks are never delivered, with the registry that reserves it. */
export interface SpecialPurposeBlock {
  readonly cidr: string;
  readonly purpose: string;
  readonly source: string;
}

const SPECIAL_V4 = 'IANA IPv4 Special-Purpose Address Registry';
const SPECIAL_V6 = 'IANA IPv6 Special-Purpose Address Registry';

/**
 * The IPv4 blocks that are refused. Every other IPv4 address is public.
 *
 * The list contains the entire special-purpose registry, regardless of a row's globally-reachable
 * flag: no customer's endpoint is in an anycast relay or an AS112 sink. A row that lies inside
 * another one is not repeated.
 */
export const REFUSED_IPV4_BLOCKS: readonly SpecialPurposeBlock[] = [
  { cidr: '0.0.0.0/8', purpose: 'this network', source: `${SPECIAL_V4}, RFC 791` },
  { cidr: '10.0.0.0/8', purpose: 'private use', source: `${SPECIAL_V4}, RFC 1918` },
  { cidr: '100.64.0.0/10', purpose: 'shared address space', source: `${SPECIAL_V4}, RFC 6598` },
  { cidr: '127.0.0.0/8', purpose: 'loopback', source: `${SPECIAL_V4}, RFC 1122` },
  {
    cidr: '168.63.129.16/32',
    purpose: 'platform services of Azure',
    source: 'Microsoft Azure documentation',
  },
  { cidr: '169.254.0.0/16', purpose: 'link local, cloud metadata', source: `${SPECIAL_V4}, RFC 3927` },
  { cidr: '172.16.0.0/12', purpose: 'private use', source: `${SPECIAL_V4}, RFC 1918` },
  { cidr: '192.0.0.0/24', purpose: 'IETF protocol assignments', source: `${SPECIAL_V4}, RFC 6890` },
  { cidr: '192.0.2.0/24', purpose: 'documentation (TEST-NET-1)', source: `${SPECIAL_V4}, RFC 5737` },
  { cidr: '192.31.196.0/24', purpose: 'AS112-v4', source: `${SPECIAL_V4}, RFC 7535` },
  { cidr: '192.52.193.0/24', purpose: 'AMT', source: `${SPECIAL_V4}, RFC 7450` },
  { cidr: '192.88.99.0/24', purpose: '6to4 relay anycast, deprecated', source: `${SPECIAL_V4}, RFC 7526` },
  { cidr: '192.168.0.0/16', purpose: 'private use', source: `${SPECIAL_V4}, RFC 1918` },
  { cidr: '192.175.48.0/24', purpose: 'direct delegation AS112', source: `${SPECIAL_V4}, RFC 7534` },
  { cidr: '198.18.0.0/15', purpose: 'benchmarking', source: `${SPECIAL_V4}, RFC 2544` },
  { cidr: '198.51.100.0/24', purpose: 'documentation (TEST-NET-2)', source: `${SPECIAL_V4}, RFC 5737` },
  { cidr: '203.0.113.0/24', purpose: 'documentation (TEST-NET-3)', source: `${SPECIAL_V4}, RFC 5737` },
  {
    cidr: '224.0.0.0/4',
    purpose: 'multicast',
    source: 'IANA IPv4 Multicast Address Space Registry, RFC 5771',
  },
  {
    cidr: '240.0.0.0/4',
    purpose: 'reserved, limited broadcast',
    source: `${SPECIAL_V4}, RFC 1112, RFC 8190`,
  },
];

/**
 * The only IPv6 block that IANA assigns for global unicast. Every address outside it is refused.
 */
export const GLOBAL_UNICAST_IPV6 = '2000::/3';

/** The blocks inside {@link GLOBAL_UNICAST_IPV6} that are refused. */
export const REFUSED_IPV6_BLOCKS: readonly SpecialPurposeBlock[] = [
  { cidr: '2001::/23', purpose: 'IETF protocol assignments, Teredo', source: `${SPECIAL_V6}, RFC 2928` },
  { cidr: '2001:db8::/32', purpose: 'documentation', source: `${SPECIAL_V6}, RFC 3849` },
  { cidr: '2002::/16', purpose: '6to4', source: `${SPECIAL_V6}, RFC 3056` },
  { cidr: '2620:4f:8000::/48', purpose: 'direct delegation AS112', source: `${SPECIAL_V6}, RFC 7534` },
  { cidr: '3fff::/20', purpose: 'documentation', source: `${SPECIAL_V6}, RFC 9637` },
];

/** The IPv6 blocks whose last 32 bits are an IPv4 address. That address is judged instead. */
export const IPV4_CARRYING_BLOCKS: readonly SpecialPurposeBlock[] = [
  { cidr: '::ffff:0:0/96', purpose: 'IPv4-mapped', source: `${SPECIAL_V6}, RFC 4291` },
  { cidr: '64:ff9b::/96', purpose: 'NAT64, well-known prefix', source: `${SPECIAL_V6}, RFC 6052` },
];
