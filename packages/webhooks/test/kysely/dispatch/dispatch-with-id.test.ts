import { expect, test } from 'vitest';
import { withDispatchId } from '../../../src/kysely/dispatch/dispatch-with-id.ts';
import { generateDispatchId } from '../../../src/storage/delivery-ids.ts';
import { DISPATCH } from '../example-rows.ts';

test('a dispatch keeps the id that a retry must have, and gets one of its own where it has none', () => {
  const id = generateDispatchId();
  expect(withDispatchId({ ...DISPATCH, id })).toEqual({ ...DISPATCH, id });
  const ids = [withDispatchId(DISPATCH).id, withDispatchId(DISPATCH).id];
  expect(new Set(ids).size).toBe(2);
  for (const each of ids) expect(each).toHaveLength(id.length);
});
