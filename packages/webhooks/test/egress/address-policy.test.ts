import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy, isSameAddress } from '../../src/egress/address-policy.ts';
import {
  GLOBAL_UNICAST_IPV6,
  REFUSED_IPV4_BLOCKS,
  REFUSED_IPV6_BLOCKS,
} from '../../src/egress/special-purpose-blocks.ts';

const SEED = 20_261_120;
const policy = createAddressPolicy();
const isReachable = (address: string): boolean => policy.judge(address).reachable;

/** Written by hand from the registries: block, first, last, the address before and the one after it. */
const REFUSED: readonly (readonly [
  cidr: string,
  first: string,
  last: string,
  before: string,
  after: string,
])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16/32', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255', ''],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', '', ''],
  [
    '2001::/23',
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
  ],
  [
    '2001:db8::/32',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '2002::/16',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    '2620:4f:8000::/48',
    '2620:4f:8000::',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
  ],
  [
    '3fff::/20',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
];

describe('address policy', () => {
  it('lists exactly the blocks of the registries', () => {
    const listed = [...REFUSED_IPV4_BLOCKS, ...REFUSED_IPV6_BLOCKS].map(({ cidr }) => cidr);
    expect(listed).toEqual(REFUSED.map(([cidr]) => cidr));
    expect(GLOBAL_UNICAST_IPV6).toBe('2000::/3');
  });

  it.each(REFUSED)('refuses %s from %s to %s and nothing beside it', (_cidr, first, last, before, after) => {
    expect(isReachable(first)).toBe(false);
    expect(isReachable(last)).toBe(false);
    for (const neighbour of [before, after].filter((address) => address !== '')) {
      expect([neighbour, isReachable(neighbour)]).toEqual([neighbour, true]);
    }
  });

  it.each([
    ['the unspecified address', '::'],
    ['loopback', '::1'],
    ['an IPv4-compatible address', '::7f00:1'],
    ['an IPv4-compatible public address', '::808:808'],
    ['IPv4-translated', '::ffff:0:808:808'],
    ['the discard block', '100::1'],
    ['the dummy prefix', '100:0:0:1::1'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['the last address before global unicast', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['the first address behind global unicast', '4000::'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ['link local', 'fe80::1'],
    ['site local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['6to4 of a public address', '2002:808:808::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['mapped loopback, written out', '0:0:0:0:0:ffff:7f00:0001'],
    ['NAT64 loopback', '64:ff9b::127.0.0.1'],
    ['NAT64 metadata', '64:ff9b::a9fe:a9fe'],
  ])('refuses %s (%s)', (_what, address) => {
    expect(isReachable(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '93.184.215.14',
    '2000::',
    '2606:4700::1111',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('accepts %s', (address) => {
    expect(policy.judge(address)).toEqual({ reachable: true, because: 'public' });
  });

  it.each([
    '',
    '127.1',
    '8.8',
    '0177.0.0.1',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8.',
    '8.8.8.8/32',
    '[2606:4700::1]',
    '2606:4700::1%eth0',
    'fe80::1%1',
    'example.com',
    'undefined',
    '2606:4700:::1',
  ])('refuses %j, which is no address', (text) => {
    expect(policy.judge(text)).toEqual({ reachable: false, because: 'not an IP address' });
  });

  it('judges a mapped or NAT64 address by the IPv4 address inside', () => {
    const check = (address: string): void => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const expected = policy.judge(address);
      for (const carried of [
        `::ffff:${address}`,
        `::ffff:${hex}`,
        `64:ff9b::${address}`,
        `64:ff9b::${hex}`,
      ]) {
        expect([carried, policy.judge(carried)]).toEqual([carried, expected]);
      }
    };
    fc.assert(fc.property(fc.ipV4(), check), { seed: SEED, numRuns: 2000 });
    for (const [, first, last] of REFUSED.slice(0, 19)) [first, last].forEach(check);
  });

  it('refuses every IPv6 address outside 2000::/3 that carries no IPv4 address', () => {
    const outside = fc
      .uint8Array({ minLength: 16, maxLength: 16 })
      .filter(([first = 0]) => first >> 5 !== 1)
      .map(ipv6Text)
      .filter((text) => !text.startsWith('0:0:0:0:0:ffff:') && !text.startsWith('64:ff9b:0:0:0:0:'));
    fc.assert(
      fc.property(outside, (address) => !isReachable(address)),
      { seed: SEED, numRuns: 5000 },
    );
  });

  it("agrees with Node's own block list on random addresses", () => {
    const refused = new BlockList();
    for (const { cidr } of REFUSED_IPV4_BLOCKS) addSubnet(refused, cidr, 'ipv4');
    for (const { cidr } of REFUSED_IPV6_BLOCKS) addSubnet(refused, cidr, 'ipv6');
    const globalUnicast = new BlockList();
    addSubnet(globalUnicast, GLOBAL_UNICAST_IPV6, 'ipv6');

    // Near the edges of the blocks, where arithmetic goes wrong, and anywhere.
    const edges = REFUSED.flatMap(([, ...addresses]) => addresses).filter((address) => address !== '');
    const globalish = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => {
      bytes[0] = 0x20 | ((bytes[0] ?? 0) & 0x1f);
      return ipv6Text(bytes);
    });
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), globalish, fc.constantFrom(...edges)), (address) => {
        const expected = address.includes(':')
          ? globalUnicast.check(address, 'ipv6') && !refused.check(address, 'ipv6')
          : !refused.check(address, 'ipv4');
        expect([address, isReachable(address)]).toEqual([address, expected]);
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });
});

describe('allow list', () => {
  it('opens what it names and nothing else', () => {
    const opened = createAddressPolicy(['10.1.2.0/24', '127.0.0.1', 'fd00:1::/64', '::1']);
    for (const address of [
      '10.1.2.0',
      '10.1.2.255',
      '127.0.0.1',
      '::ffff:10.1.2.3',
      '64:ff9b::a01:203',
      'fd00:1::9',
      '::1',
    ]) {
      expect([address, opened.judge(address)]).toEqual([
        address,
        { reachable: true, because: 'allow-listed' },
      ]);
    }
    for (const address of ['10.1.1.255', '10.1.3.0', '127.0.0.2', 'fd00:1:0:1::', '::2', '169.254.169.254']) {
      expect([address, opened.judge(address).reachable]).toEqual([address, false]);
    }
  });

  it('keeps the families apart, though their bytes agree', () => {
    expect(createAddressPolicy(['fd00::/8']).judge('253.0.0.1').reachable).toBe(false);
    expect(createAddressPolicy(['10.0.0.0/8']).judge('a00::1').reachable).toBe(false);
    for (const address of ['32.1.0.5', '32.2.0.1', '63.255.0.1']) expect(isReachable(address)).toBe(true);
  });

  it('closes nothing that is public', () => {
    expect(createAddressPolicy(['10.0.0.0/8']).judge('8.8.8.8').reachable).toBe(true);
  });

  it.each([
    ['10.0.0.0/33'],
    ['10.0.0.0/-1'],
    ['10.0.0.0/08'],
    ['10.0.0.0/'],
    ['10.0.0.0/8/8'],
    ['10.0.0.0/ 8'],
    ['10.0.0.1/8'],
    ['10.0.0/8'],
    ['0x0a.0.0.0/8'],
    ['fd00::1/64'],
    ['fe80::%eth0/64'],
    ['localhost'],
    [''],
    ['0.0.0.0/0'],
    ['::/0'],
    ['::ffff:127.0.0.1'],
    ['::ffff:127.0.0.0/104'],
    ['64:ff9b::/96'],
  ])('refuses the entry %j at construction', (entry) => {
    expect(() => createAddressPolicy([entry])).toThrow(TypeError);
    expect(() => createAddressPolicy([entry])).toThrow(/allowedAddresses\[0\]/);
  });

  it('refuses entries that are no text, and more than 64 of them', () => {
    const entries = Array.from({ length: 64 }, (_, index) => `10.0.${index}.0/24`);
    expect(createAddressPolicy(entries).judge('10.0.63.1').reachable).toBe(true);
    expect(() => createAddressPolicy([...entries, '10.1.0.0/24'])).toThrow(/at most 64/);
    expect(() => createAddressPolicy(JSON.parse('[42]'))).toThrow(TypeError);
    expect(() => createAddressPolicy(JSON.parse('"10.0.0.0/8"'))).toThrow(TypeError);
  });
});

describe('comparison of addresses', () => {
  it('sees through notation and the mapped form, not through NAT64', () => {
    expect(isSameAddress('127.0.0.1', '::ffff:127.0.0.1')).toBe(true);
    expect(isSameAddress('2606:4700:0::1', '2606:4700::0001')).toBe(true);
    expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBe(false);
    expect(isSameAddress('64:ff9b::808:808', '8.8.8.8')).toBe(false);
    expect(isSameAddress('', '')).toBe(false);
  });
});

function addSubnet(list: BlockList, cidr: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', prefix = ''] = cidr.split('/');
  list.addSubnet(network, Number(prefix), family);
}

function ipv6Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16)).join(':');
}
