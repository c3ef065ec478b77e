import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { CallRecord } from '../../src/contracts/call-record.ts';

class Counter {
  #count = 0;
  readonly label = 'count';
  async add(amount: number): Promise<number> {
    this.#count += amount;
    return this.#count;
  }
  async read(): Promise<number> {
    return this.#count;
  }
}

const COUNTER = { name: 'Counter', methods: { add: true, read: true } } as const;

describe('CallRecord', () => {
  it('names the methods called, in the order of their last calls, whichever connection they were on', async () => {
    const record = new CallRecord<Counter>(COUNTER);
    const [first, second] = [record.of('first', new Counter()), record.of('second', new Counter())];
    expect(record.advice()).toBe('The case had not called a method of Counter yet.');
    expect(await first.add(2)).toBe(2);
    expect(await first.read()).toBe(2);
    await second.add(1);
    expect(record.advice()).toContain(
      'comments of Counter promise. The case called, in this order: read, add.',
    );
  });

  it('lets a service keep what is its own: private members, a frozen object, values', async () => {
    const frozen = Object.freeze({ add: async () => 7, read: async () => 7, label: 'frozen' });
    const record = new CallRecord<Pick<Counter, 'add' | 'read'>>(COUNTER);
    expect(await record.of('store', frozen).add()).toBe(7);
    expect(record.of('store', new Counter()).label).toBe('count');
    expect(record.of('store', frozen)).not.toHaveProperty('missing');
  });

  it('refuses a service that lacks methods, and names them', () => {
    const record = new CallRecord<Pick<Counter, 'add' | 'read'>>(COUNTER);
    const incomplete: object = { add() {} };
    expect(() => record.of('store', incomplete as Counter)).toThrow(AssertionError);
    expect(() => record.of('store', incomplete as Counter)).toThrow('store lacks the method read of Counter');
  });
});
