import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { checkedPayloadText, MAX_PAYLOAD_BYTES, payloadText } from '../../src/dispatch/payload.ts';

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

class Sealed {
  readonly #id = 7;
  id(): number {
    return this.#id;
  }
}

function* numbers() {
  yield 1;
}

describe('the text of a payload', () => {
  it('is its JSON', () => {
    expect(payloadText({ id: 42, name: 'ü', at: new Date(0), gone: undefined })).toBe(
      '{"id":42,"name":"ü","at":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it('escapes U+0000 and lone surrogates, which no database and no UTF-8 text could hold', () => {
    expect(payloadText({ zero: '\u0000', lone: '\ud800' })).toBe('{"zero":"\\u0000","lone":"\\ud800"}');
  });

  inOneTest([
    ['undefined', undefined],
    ['null', null],
    ['text', 'text'],
    ['a number', 1],
    ['an array', [1]],
    ['a date, which becomes text', new Date(0)],
    ['an array of entries, which is a map', new Map([['id', 1]])],
    ['an error, of which JSON makes {}', new Error('no')],
    ['a form', new FormData()],
    ['parameters', new URLSearchParams({ id: '1' })],
    ['headers', new Headers({ id: '1' })],
    ['a request', new Request('http://a.example/')],
    ['bytes', new ArrayBuffer(2)],
    ['a blob', new Blob(['1'])],
    ['a pattern', /id/],
    ['a generator', numbers()],
    ['an instance that shows nothing', new Sealed()],
    ['a map inside', { orders: [{ lines: new Map([['id', 1]]) }] }],
    ['a form inside', { form: new FormData() }],
    ['an instance of another realm', runInNewContext('new Map([[1, 2]])')],
    ['a function', () => ({})],
    ['a symbol', Symbol('s')],
    ['a BigInt inside', { id: 1n }],
    ['a cycle', cyclic],
    [
      'an object whose toJSON throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'an object whose then cannot be read',
      {
        // biome-ignore lint/suspicious/noThenProperty: nothing else is asked for its then
        get then() {
          throw new Error('no');
        },
      },
    ],
    ['an object whose toJSON gives an array', { toJSON: () => [] }],
  ])('is refused for %s with invalid_payload', (_, payload) => {
    expect(() => payloadText(payload)).toThrow(expect.objectContaining({ code: 'invalid_payload' }));
  });

  inOneTest([
    ['a promise', Promise.resolve({ id: 1 })],
    // biome-ignore lint/suspicious/noThenProperty: what query builders are
    ['what is awaited like one', { then: () => ({ id: 1 }) }],
  ])('is refused for %s, which somebody forgot to await', (_, payload) => {
    const refusal = expect.objectContaining({
      code: 'invalid_payload',
      message: expect.stringMatching(/await/),
    });
    expect(() => payloadText(payload)).toThrow(refusal);
    expect(() =>
      checkedPayloadText('order.created', z.object({ id: z.number().optional() }), payload),
    ).toThrow(refusal);
  });

  it('is refused by the name of a member that is a bigint', () => {
    const payload = { shop: { id: 1 }, lines: [{ id: 'a' }, { id: 7n }] };
    expect(() => payloadText(payload)).toThrow('accepts: lines.1.id is a bigint, which JSON does not have');
    expect(() => payloadText(cyclic)).toThrow(/accepts$/);
  });

  it('is {} for what is empty, or says that it is', () => {
    const empty = [
      {},
      Object.create(null),
      runInNewContext('({})'),
      { gone: undefined },
      { toJSON: () => ({}) },
    ];
    for (const payload of empty) expect(payloadText(payload)).toBe('{}');
  });

  it('is that of an error with members, or one that says what it is', () => {
    class Refusal extends Error {
      toJSON() {
        return { reason: this.message };
      }
    }
    expect(payloadText(new Refusal('no'))).toBe('{"reason":"no"}');
    expect(payloadText(Object.assign(new Error('no'), { code: 7 }))).toBe('{"code":7}');
  });

  it('may have a member of that name which is no function', () => {
    // biome-ignore lint/suspicious/noThenProperty: what rules are made of
    expect(payloadText({ if: 'a', then: 'b' })).toBe('{"if":"a","then":"b"}');
  });

  it('may have 262,144 bytes and not one more, counted in UTF-8', () => {
    const frame = Buffer.byteLength('{"t":""}');
    const full = 'é'.repeat((MAX_PAYLOAD_BYTES - frame) / 2);
    expect(Buffer.byteLength(payloadText({ t: full }))).toBe(MAX_PAYLOAD_BYTES);
    expect(() => payloadText({ t: `${full}x` })).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });
});
