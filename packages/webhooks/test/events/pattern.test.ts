import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { assertEventName, isEventName } from '../../src/events/event-name.ts';
import {
  isEventPattern,
  matchesPattern,
  patternsMatching,
  searchedPatterns,
} from '../../src/events/pattern.ts';

const segment = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const eventName = fc.array(segment, { minLength: 2, maxLength: 8 }).map((segments) => segments.join('.'));

describe('event names', () => {
  inOneTest(['user.created', 'a.b', 'order.line-item.re_opened', 'A.B', '1.2', `a.${'b'.repeat(126)}`])(
    'accepts %s',
    (name) => {
      expect(isEventName(name)).toBe(true);
    },
  );

  inOneTest([
    '',
    'user',
    '.',
    'user.',
    '.created',
    'user..created',
    'user created',
    'user.*',
    '*',
    'ü.created',
    'user.created\n',
    'user.cre\u0000ated',
    `a.${'b'.repeat(127)}`,
  ])('refuses %j', (name) => {
    expect(isEventName(name)).toBe(false);
  });

  inOneTest([undefined, null, 7, {}, ['user.created']])(
    'refuses %j, which is no text, with invalid_event',
    (name) => {
      expect(() => assertEventName(name)).toThrow(expect.objectContaining({ code: 'invalid_event' }));
    },
  );
});

describe('event patterns', () => {
  inOneTest(['*', 'user.*', 'order.item.*', 'user.created', `${'a'.repeat(126)}.*`])(
    'accepts %s',
    (pattern) => {
      expect(isEventPattern(pattern)).toBe(true);
    },
  );

  inOneTest([
    '',
    '**',
    '*.created',
    'user*',
    'user.*.created',
    'user.**',
    '.*',
    'user',
    'user.',
    ' user.*',
    'us er.*',
    'user.%',
    `${'a'.repeat(127)}.*`,
  ])('refuses %j', (pattern) => {
    expect(isEventPattern(pattern)).toBe(false);
  });

  inOneTest([
    ['*', 'user.created', true],
    ['user.*', 'user.created', true],
    ['user.*', 'user.profile.updated', true],
    ['user.profile.*', 'user.profile.updated', true],
    ['user.created', 'user.created', true],
    ['user.*', 'users.created', false],
    ['user.*', 'User.created', false],
    ['user.profile.*', 'user.created', false],
    ['user.created', 'user.created.twice', false],
    ['user.created', 'user.updated', false],
  ])('compares %s with %s: %s', (pattern, event, expected) => {
    expect(matchesPattern(pattern, event)).toBe(expected);
  });

  it('lists for every event exactly the patterns that match it', () => {
    fc.assert(
      fc.property(eventName, eventName, (event, other) => {
        const listed = patternsMatching(event);
        expect(new Set(listed).size).toBe(listed.length);
        for (const pattern of listed) expect(matchesPattern(pattern, event)).toBe(true);
        for (const pattern of [...patternsMatching(other)]) {
          expect(listed.includes(pattern)).toBe(matchesPattern(pattern, event));
        }
      }),
    );
  });

  it('lists at most 65 patterns for the longest name', () => {
    const deepest = Array.from({ length: 64 }, () => 'a').join('.');
    expect(isEventName(deepest)).toBe(true);
    expect(patternsMatching(deepest)).toHaveLength(65);
  });

  inOneTest([
    ['order.paid', { searchPatterns: ['order.*', 'order.paid'] }],
    [' order.item.added ', { searchPatterns: ['order.*', 'order.item.*', 'order.item.added'] }],
    ['order.*', { searchPatterns: ['order.*'], searchPrefix: 'order.' }],
    ['order.item.*', { searchPatterns: ['order.*', 'order.item.*'], searchPrefix: 'order.item.' }],
    ['*', { searchPatterns: ['*'] }],
    ['order', { searchPatterns: [] }],
    ['https://a.example/x', { searchPatterns: [] }],
    ['', { searchPatterns: [] }],
  ])('a search for %j finds the patterns %j', (text, patterns) => {
    expect(searchedPatterns(text)).toEqual(patterns);
  });
});
