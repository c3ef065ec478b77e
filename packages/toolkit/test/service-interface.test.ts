import { describe, expect, it } from 'vitest';
import { lackOf, type ServiceInterface } from '../src/service-interface.ts';

interface Door {
  open(): void;
  close(): void;
}

const DOOR: ServiceInterface<Door> = { name: 'Door', methods: ['open', 'close'] };

describe('lackOf', () => {
  it.each([
    [{}, 'front lacks the methods open, close of Door'],
    [{ open() {}, close: true }, 'front lacks the method close of Door'],
    [undefined, 'front must be an object with the methods of Door: open, close'],
    ['a door', 'front must be an object with the methods of Door: open, close'],
  ])('says what %j lacks', (value, sentence) => {
    expect(lackOf('front', value, DOOR)).toBe(sentence);
  });

  it('finds the methods of a class, and more than are asked for', () => {
    class Gate {
      open() {}
      close() {}
      lock() {}
    }
    expect(lackOf('front', new Gate(), DOOR)).toBeUndefined();
  });
});
