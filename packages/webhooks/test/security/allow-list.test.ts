import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { createAddressPolicy } from '../../src/egress/address-policy.ts';

const isReachable = (address: string): boolean => createAddressPolicy().judge(address).reachable;

describe('allow list', () => {
  it('opens what it names and nothing else', () => {
    const opened = createAddressPolicy(['10.1.2.0/24', '127.0.0.1', 'fd00:1::/64', '::1']);
    for (const address of words(`
      10.1.2.0 10.1.2.255 127.0.0.1 ::ffff:10.1.2.3 64:ff9b::a01:203 fd00:1::9 ::1
    `)) {
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

  it('opens the largest private blocks', () => {
    const opened = createAddressPolicy(['10.0.0.0/8', 'fc00::/7']);
    for (const address of ['10.255.0.1', 'fdff::1']) expect(opened.judge(address).reachable).toBe(true);
  });

  it('closes nothing that is public', () => {
    expect(createAddressPolicy(['10.0.0.0/8']).judge('8.8.8.8').reachable).toBe(true);
  });

  inOneTest([
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
    ['0.0.0.0/1'],
    ['128.0.0.0/1'],
    ['126.0.0.0/7'],
    ['8000::/1'],
    ['fc00::/6'],
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
