import { expect, it } from 'vitest';
import { timestampText } from '../src/clock.ts';

it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])('names the clock that gave %d', (time) => {
  expect(() => timestampText(time)).toThrow(
    new TypeError(`clock must give milliseconds since the Unix epoch, got ${time}`),
  );
});
