import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKey } from '../../src/sessions/client-address.ts';
import { createFailureCounter } from '../../src/sessions/failure-counter.ts';

describe('addressKey', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:dead:beef:0:1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', 'no-address'],
    ['192.0.2.1:443', 'no-address'],
    ['[::1]', 'no-address'],
    ['192.0.2.01', 'no-address'],
    ['2130706433', 'no-address'],
    ['192.0.2.1, 198.51.100.1', 'no-address'],
    ['unknown', 'no-address'],
  ])('counts %j as %j', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('never throws, and gives every spelling of an address one key', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof addressKey(text) === 'string'));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const long = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
        expect(addressKey(long)).toBe(addressKey(short));
      }),
    );
  });
});

describe('createFailureCounter', () => {
  it('makes a key wait for the end of the window that its first failure began', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 100, maxKeys: 10 });
    counter.add('a', 0);
    expect(counter.waitSeconds('a', 50)).toBe(0);
    counter.add('a', 50);
    expect(counter.waitSeconds('a', 60)).toBe(40);
    expect(counter.waitSeconds('b', 60)).toBe(0);
    expect(counter.waitSeconds('a', 100)).toBe(0);
    counter.add('a', 100);
    expect(counter.waitSeconds('a', 101)).toBe(0);
  });

  it('waits no longer than a window when the clock is set back', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 100, maxKeys: 10 });
    counter.add('a', 10_000);
    expect(counter.waitSeconds('a', 0)).toBe(100);
  });

  it('takes one failure back, once, and none of a later window', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 100, maxKeys: 10 });
    const takeBack = counter.add('a', 0);
    counter.add('a', 1);
    expect(counter.waitSeconds('a', 1)).toBe(99);
    takeBack();
    takeBack();
    expect(counter.waitSeconds('a', 1)).toBe(0);
    const takeBackLate = counter.add('a', 2);
    expect(counter.waitSeconds('a', 2)).toBe(98);
    counter.add('a', 100);
    counter.add('a', 100);
    takeBackLate();
    expect(counter.waitSeconds('a', 100)).toBe(100);
  });

  it('begins no window with a failure that was taken back', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 100, maxKeys: 10 });
    counter.add('a', 0)();
    counter.add('a', 50);
    expect(counter.waitSeconds('a', 50)).toBe(100);
  });

  it('remembers a bounded number of keys, the latest', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 1_000, maxKeys: 100 });
    for (let i = 0; i < 10_000; i++) counter.add(`key ${i}`, 0);
    const isRemembered = (key: string) => {
      const takeBack = counter.add(key, 0);
      const isSecond = counter.waitSeconds(key, 0) > 0;
      takeBack();
      return isSecond;
    };
    expect(isRemembered('key 9999')).toBe(true);
    expect(isRemembered('key 9900')).toBe(true);
    expect(isRemembered('key 9899')).toBe(false);
  });

  it('unlocks nothing when it is filled: windows below the limit give way first', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 1_000, maxKeys: 100 });
    for (let i = 0; i < 2; i++) counter.add('locked', 0);
    for (let i = 0; i < 10_000; i++) counter.add(`key ${i}`, 1);
    expect(counter.waitSeconds('locked', 1)).toBe(999);
  });

  it('makes unknown keys wait when every window is at the limit, until the first of them ends', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 1_000, maxKeys: 100 });
    for (let i = 0; i < 10_000; i++) counter.add(`key ${i}`, Math.min(i, 100));
    expect(counter.waitSeconds('key 0', 100)).toBe(900);
    expect(counter.waitSeconds('new', 100)).toBe(900);
    expect(counter.waitSeconds('new', 999)).toBe(1);
    expect(counter.waitSeconds('new', 1_000)).toBe(0);
    counter.add('new', 1_000);
    expect(counter.waitSeconds('another', 1_000)).toBe(1);
    expect(counter.waitSeconds('key 99', 1_000)).toBe(99);
  });
});
