import { expect, it } from 'vitest';
import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import { serviceOption } from '../../src/options/service-option.ts';

interface Door {
  open(): void;
  close(): void;
}

const DOOR: ServiceInterface<Door> = { name: 'Door', methods: { open: true, close: true } };

it('gives back what has every method', () => {
  const door: Door = { open() {}, close() {} };
  expect(serviceOption('front', door, DOOR)).toBe(door);
});

it.each([
  [{ open() {} }, 'front lacks the method close of Door'],
  [{}, 'front lacks the methods open, close of Door'],
  [null, 'front must be an object with the methods of Door: open, close'],
])('refuses %j', (value, message) => {
  expect(() => serviceOption('front', value as Door, DOOR)).toThrow(new TypeError(message));
});
