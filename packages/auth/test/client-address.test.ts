import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../toolkit/test/in-one-test.ts';
import { parseClientAddress, plainAddress } from '../src/client-address.ts';

describe('parseClientAddress', () => {
  inOneTest([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:443', '192.0.2.1'],
    ['"192.0.2.1:443"', '192.0.2.1'],
    ['[192.0.2.1]:443', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[::FFFF:C000:0201]:1', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:40001', '2001:db8::1'],
    ['"[2001:db8::1]:40001"', '2001:db8::1'],
    ['2001:0DB8:0000:0000:dead:beef:0:1', '2001:db8::dead:beef:0:1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::', '::'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('reads %j as %s', (written, text) => {
    expect(parseClientAddress(written)?.text).toBe(text);
    expect(plainAddress(written)).toBe(text);
  });

  inOneTest([
    '',
    '[]',
    '[::1',
    '::1]:80',
    '192.0.2.01',
    '0x7f.1',
    '2130706433',
    '192.0.2.1:port',
    '192.0.2.1:123456',
    '192.0.2.1:80:80',
    '192.0.2.1, 198.51.100.1',
    'unknown',
    '_hidden',
    `2001:db8::1%${'x'.repeat(200)}`,
  ])('reads %j as no address, and leaves it as it is', (written) => {
    expect(parseClientAddress(written)).toBeUndefined();
    expect(plainAddress(written)).toBe(written);
  });

  it('counts an IPv6 address by its /64, /56 and /48, an IPv4 address by itself', () => {
    expect(parseClientAddress('[2001:db8:1:2345::1]:80')?.networks).toEqual([
      '20010db800012345/64',
      '20010db8000123/56',
      '20010db80001/48',
    ]);
    expect(parseClientAddress('192.0.2.1:80')?.networks).toEqual(['192.0.2.1']);
  });

  it('counts an address behind NAT64 by the IPv4 address inside, and no other prefix so', () => {
    expect(parseClientAddress('64:ff9b::198.51.100.1')?.networks).toEqual(['198.51.100.1']);
    expect(parseClientAddress('[64:ff9b::cb00:7105]:443')?.networks).toEqual(['203.0.113.5']);
    for (const other of ['64:ff9b:1::198.51.100.1', '2002:c633:6401::1', '64:ff9b::1:198.51.100.1']) {
      expect(parseClientAddress(other)?.networks).toHaveLength(3);
    }
  });

  it('never throws, and gives every spelling of an address the same networks', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const port = fc.integer({ min: 0, max: 65_535 });
    fc.assert(fc.property(fc.string(), (text) => plainAddress(text) !== undefined));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), port, (groups, number) => {
        const long = groups.map((value) => value.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const short = new URL(`http://[${long}]`).hostname;
        expect(parseClientAddress(`${short}:${number}`)).toEqual(parseClientAddress(long));
        expect(parseClientAddress(short.slice(1, -1))).toEqual(parseClientAddress(long));
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), port, (address, number) => {
        for (const written of [
          `${address}:${number}`,
          `::ffff:${address}`,
          `[::ffff:${address}]:${number}`,
        ]) {
          expect(parseClientAddress(written)).toEqual({ text: address, networks: [address] });
        }
      }),
    );
  });
});
