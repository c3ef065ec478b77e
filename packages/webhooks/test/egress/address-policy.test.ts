import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { createAddressPolicy, isSameAddress } from '../../src/egress/address-policy.ts';
import {
  GLOBAL_UNICAST_IPV6,
  REFUSED_IPV4_BLOCKS,
  REFUSED_IPV6_BLOCKS,
} from '../../src/egress/special-purpose-blocks.ts';
import { SPECIAL_PURPOSE_ROWS } from './special-purpose-rows.ts';

const SEED = 20_261_120;
const policy = createAddressPolicy();
const isReachable = (address: string): boolean => policy.judge(address).reachable;

describe('address policy', () => {
  it('refuses no block that no registry lists, and names the registry', () => {
    for (const { cidr, source } of [...REFUSED_IPV4_BLOCKS, ...REFUSED_IPV6_BLOCKS]) {
      const listed = SPECIAL_PURPOSE_ROWS.find((row) => row.cidr === cidr);
      expect([cidr, listed !== undefined && source.includes(listed.registry)]).toEqual([cidr, true]);
    }
    expect(GLOBAL_UNICAST_IPV6).toBe('2000::/3');
  });

  inOneTest(SPECIAL_PURPOSE_ROWS)(
    'refuses $cidr from $first to $last and nothing public beside it ($registry)',
    ({ first, last, publicNeighbours }) => {
      expect([first, last].map(isReachable)).toEqual([false, false]);
      for (const neighbour of publicNeighbours) {
        expect([neighbour, isReachable(neighbour)]).toEqual([neighbour, true]);
      }
    },
  );

  inOneTest([
    ['the unspecified address', '::'],
    ['loopback', '::1'],
    ['an IPv4-compatible address', '::7f00:1'],
    ['an IPv4-compatible public address', '::808:808'],
    ['an IPv4-compatible public address with dots', '::8.8.8.8'],
    ['an IPv4-compatible public address with dots, written out', '0:0:0:0:0:0:8.8.8.8'],
    ['IPv4-translated with dots', '::ffff:0:8.8.8.8'],
    ['ISATAP', 'fe80::5efe:8.8.8.8'],
    ['local NAT64 with dots', '64:ff9b:1::8.8.8.8'],
    ['the address behind well-known NAT64', '64:ff9b::1:0:0'],
    ['the address before mapped', '::fffe:ffff:ffff'],
    ['the address behind mapped', '::1:0:0:0'],
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

  inOneTest(
    words(`
    8.8.8.8 93.184.215.14 2000:: 2606:4700::1111 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::ffff:8.8.8.8
    ::FFFF:8.8.8.8 0:0:0:0:0:FFFF:0808:0808 0000:0000:0000:0000:0000:ffff:8.8.8.8 64:ff9b::808:808
    64:FF9B:0:0:0:0:8.8.8.8 0064:ff9b::8.8.8.8 2606:4700::8.8.8.8 2A00:1450:4001:0800::200E
  `),
  )('accepts %s', (address) => {
    expect(policy.judge(address)).toEqual({ reachable: true, because: 'public' });
  });

  inOneTest([
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
    const edges = SPECIAL_PURPOSE_ROWS.flatMap((row) => [row.first, row.last, ...row.publicNeighbours]);
    for (const edge of edges.filter((address) => !address.includes(':'))) check(edge);
  });

  it('refuses every IPv6 address outside 2000::/3 that carries no IPv4 address', () => {
    // Anywhere, and where an IPv4 address at the end is read by somebody: few bits set before it.
    const anywhere = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const sparse = fc
      .tuple(anywhere, fc.uint8Array({ minLength: 16, maxLength: 16, max: 3 }))
      .map(([bytes, keep]) => bytes.map((byte, index) => (index >= 12 || keep[index] === 3 ? byte : 0)));
    const nearby = fc
      .tuple(anywhere, fc.constantFrom(...CARRIERS), fc.nat({ max: 95 }))
      .map(([bytes, carrier, bit]) =>
        bytes.map((byte, index) => (index >= 12 ? byte : flipped(carrier, index, bit))),
      );
    const outside = fc
      .oneof(anywhere, sparse, nearby)
      .filter(([first = 0]) => first >> 5 !== 1)
      .map(ipv6Text)
      .filter((text) => !text.startsWith('0:0:0:0:0:ffff:') && !text.startsWith('64:ff9b:0:0:0:0:'));
    fc.assert(
      fc.property(outside, (address) => !isReachable(address)),
      { seed: SEED, numRuns: 5000 },
    );
  });

  it('reads every spelling of an IPv6 address as the URL parser does', () => {
    const group = fc
      .integer({ min: 0, max: 0xffff })
      .chain((value) =>
        fc.constantFrom(...[value.toString(16), value.toString(16).padStart(4, '0')].flatMap(inBothCases)),
      );
    const zeros = fc.constantFrom('0', '00', '000', '0000');
    const groups = fc.array(fc.oneof(group, zeros), { minLength: 0, maxLength: 8 });
    const spelling = fc
      .tuple(groups, groups, fc.option(fc.ipV4(), { nil: undefined }), fc.boolean())
      .map(([head, tail, dotted, isShortened]) => {
        const end = dotted === undefined ? tail : [...tail, dotted];
        return isShortened ? `${head.join(':')}::${end.join(':')}` : [...head, ...end].join(':');
      })
      .filter((text) => isIP(text) === 6);
    const property = fc.property(spelling, (text) => {
      const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
      expect([text, policy.judge(text), isSameAddress(text, canonical)]).toEqual([
        text,
        policy.judge(canonical),
        true,
      ]);
    });
    fc.assert(property, { seed: SEED, numRuns: 5000 });
  });

  it("agrees with Node's own block list on random addresses", () => {
    const refused = new BlockList();
    for (const { cidr } of REFUSED_IPV4_BLOCKS) addSubnet(refused, cidr, 'ipv4');
    for (const { cidr } of REFUSED_IPV6_BLOCKS) addSubnet(refused, cidr, 'ipv6');
    const globalUnicast = new BlockList();
    addSubnet(globalUnicast, GLOBAL_UNICAST_IPV6, 'ipv6');

    // Near the edges of the blocks, where arithmetic goes wrong, and anywhere.
    const edges = SPECIAL_PURPOSE_ROWS.flatMap((row) => [row.first, row.last, ...row.publicNeighbours])
      // Node's list looks through the mapped form by itself, and knows nothing of NAT64.
      .filter((address) => !/^::ffff:[\d.]+$/.test(address));
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

describe('comparison of addresses', () => {
  it('sees through notation and the mapped form, not through NAT64', () => {
    expect(isSameAddress('127.0.0.1', '::ffff:127.0.0.1')).toBe(true);
    expect(isSameAddress('2606:4700:0::1', '2606:4700::0001')).toBe(true);
    expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBe(false);
    expect(isSameAddress('64:ff9b::808:808', '8.8.8.8')).toBe(false);
    expect(isSameAddress('::8.8.8.8', '8.8.8.8')).toBe(false);
    expect(isSameAddress('', '')).toBe(false);
  });
});

function addSubnet(list: BlockList, cidr: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', prefix = ''] = cidr.split('/');
  list.addSubnet(network, Number(prefix), family);
}

/** The first bytes of `::ffff:0:0/96` and `64:ff9b::/96`. */
const CARRIERS = [
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
] as const;

/** A byte of `carrier`, one of whose 96 bits is turned over. */
function flipped(carrier: readonly number[], index: number, bit: number): number {
  const byte = carrier[index] ?? 0;
  return Math.floor(bit / 8) === index ? byte ^ (0x80 >> (bit % 8)) : byte;
}

function inBothCases(text: string): string[] {
  return [text.toLowerCase(), text.toUpperCase()];
}

function ipv6Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16)).join(':');
}
