/** A block as a registry lists it, written out by hand. */
export interface SpecialPurposeRow {
  readonly cidr: string;
  /** The registry, or the document where there is none, that sets the block apart. */
  readonly registry: string;
  readonly first: string;
  readonly last: string;
  /**
   * The addresses beside the block that are public: none where another refused block lies there.
   */
  readonly publicNeighbours: readonly string[];
}

const row = (
  registry: string,
  cidr: string,
  first: string,
  last: string,
  ...publicNeighbours: string[]
): SpecialPurposeRow => ({ cidr, registry, first, last, publicNeighbours });

const V4 = 'IANA IPv4 Special-Purpose Address Registry';
const V4_MULTICAST = 'IANA IPv4 Multicast Address Space Registry';
const V6 = 'IANA IPv6 Special-Purpose Address Registry';
const V6_SPACE = 'IANA Internet Protocol Version 6 Address Space';
const F = 'ffff:ffff:ffff';

const IPV4_ROWS: readonly SpecialPurposeRow[] = [
  row(V4, '0.0.0.0/8', '0.0.0.0', '0.255.255.255', '1.0.0.0'),
  row(V4, '0.0.0.0/32', '0.0.0.0', '0.0.0.0'),
  row(V4, '10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'),
  row(V4, '100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'),
  row(V4, '127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'),
  row(
    'Microsoft Azure',
    '168.63.129.16/32',
    '168.63.129.16',
    '168.63.129.16',
    '168.63.129.15',
    '168.63.129.17',
  ),
  row(V4, '169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'),
  row(V4, '172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'),
  row(V4, '192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'),
  row(V4, '192.0.0.0/29', '192.0.0.0', '192.0.0.7'),
  row(V4, '192.0.0.8/32', '192.0.0.8', '192.0.0.8'),
  row(V4, '192.0.0.9/32', '192.0.0.9', '192.0.0.9'),
  row(V4, '192.0.0.10/32', '192.0.0.10', '192.0.0.10'),
  row(V4, '192.0.0.170/32', '192.0.0.170', '192.0.0.170'),
  row(V4, '192.0.0.171/32', '192.0.0.171', '192.0.0.171'),
  row(V4, '192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'),
  row(V4, '192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'),
  row(V4, '192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'),
  row(V4, '192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'),
  row(V4, '192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'),
  row(V4, '192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'),
  row(V4, '198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'),
  row(V4, '198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'),
  row(V4, '203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'),
  row(V4_MULTICAST, '224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'),
  row(V4, '240.0.0.0/4', '240.0.0.0', '255.255.255.255'),
  row(V4, '255.255.255.255/32', '255.255.255.255', '255.255.255.255'),
];

const IPV6_ROWS: readonly SpecialPurposeRow[] = [
  row(V6, '::1/128', '::1', '::1'),
  row(V6, '::/128', '::', '::'),
  row(V6_SPACE, '::/8', '::', `ff:ffff:${F}:${F}`),
  row(V6, '::ffff:0:0:0/96', '::ffff:0:0:0', '::ffff:0:ffff:ffff'),
  row(V6, '64:ff9b:1::/48', '64:ff9b:1::', `64:ff9b:1:ffff:ffff:${F}`),
  row(V6, '100::/64', '100::', '100::ffff:ffff:ffff:ffff'),
  row(V6, '100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'),
  row(V6_SPACE, '1000::/4', '1000::', `1fff:ffff:${F}:${F}`, '2000::'),
  row(V6, '2001::/23', '2001::', `2001:1ff:${F}:${F}`, `2000:ffff:${F}:${F}`, '2001:200::'),
  row(V6, '2001::/32', '2001::', `2001:0:${F}:${F}`),
  row(V6, '2001:1::1/128', '2001:1::1', '2001:1::1'),
  row(V6, '2001:1::2/128', '2001:1::2', '2001:1::2'),
  row(V6, '2001:1::3/128', '2001:1::3', '2001:1::3'),
  row(V6, '2001:2::/48', '2001:2::', `2001:2:0:ffff:ffff:${F}`),
  row(V6, '2001:3::/32', '2001:3::', `2001:3:${F}:${F}`),
  row(V6, '2001:4:112::/48', '2001:4:112::', `2001:4:112:ffff:ffff:${F}`),
  row(V6, '2001:10::/28', '2001:10::', `2001:1f:${F}:${F}`),
  row(V6, '2001:20::/28', '2001:20::', `2001:2f:${F}:${F}`),
  row(V6, '2001:30::/28', '2001:30::', `2001:3f:${F}:${F}`),
  row(V6, '2001:db8::/32', '2001:db8::', `2001:db8:${F}:${F}`, `2001:db7:${F}:${F}`, '2001:db9::'),
  row(V6, '2002::/16', '2002::', `2002:ffff:${F}:${F}`, `2001:ffff:${F}:${F}`, '2003::'),
  row(
    V6,
    '2620:4f:8000::/48',
    '2620:4f:8000::',
    `2620:4f:8000:ffff:ffff:${F}`,
    `2620:4f:7fff:ffff:ffff:${F}`,
    '2620:4f:8001::',
  ),
  row(V6, '3fff::/20', '3fff::', `3fff:fff:${F}:${F}`, `3ffe:ffff:${F}:${F}`, '3fff:1000::'),
  row(V6_SPACE, '4000::/3', '4000::', `5fff:ffff:${F}:${F}`, `3fff:ffff:${F}:${F}`),
  row(V6, '5f00::/16', '5f00::', `5f00:ffff:${F}:${F}`),
  row(V6_SPACE, '6000::/3', '6000::', `7fff:ffff:${F}:${F}`),
  row(V6_SPACE, '8000::/3', '8000::', `9fff:ffff:${F}:${F}`),
  row(V6_SPACE, 'a000::/3', 'a000::', `bfff:ffff:${F}:${F}`),
  row(V6_SPACE, 'c000::/3', 'c000::', `dfff:ffff:${F}:${F}`),
  row(V6_SPACE, 'e000::/4', 'e000::', `efff:ffff:${F}:${F}`),
  row(V6_SPACE, 'f000::/5', 'f000::', `f7ff:ffff:${F}:${F}`),
  row(V6_SPACE, 'f800::/6', 'f800::', `fbff:ffff:${F}:${F}`),
  row(V6, 'fc00::/7', 'fc00::', `fdff:ffff:${F}:${F}`),
  row(V6_SPACE, 'fe00::/9', 'fe00::', `fe7f:ffff:${F}:${F}`),
  row(V6, 'fe80::/10', 'fe80::', `febf:ffff:${F}:${F}`),
  row(V6_SPACE, 'fec0::/10', 'fec0::', `feff:ffff:${F}:${F}`),
  row(V6_SPACE, 'ff00::/8', 'ff00::', `ffff:ffff:${F}:${F}`),
];

/** Every block of the registries, the ones inside other ones included. */
export const SPECIAL_PURPOSE_ROWS: readonly SpecialPurposeRow[] = [...IPV4_ROWS, ...IPV6_ROWS];
