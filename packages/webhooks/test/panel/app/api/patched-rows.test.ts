import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Delivery } from '../../../../src/panel/app/api/records.ts';
import { patchRows } from '../../../../src/panel/app/api/refresh.ts';

it('a list that could not be read again stays so when a row of it was read', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const row = { delivery_id: 'a', status: 'pending' };
  const keys = ['read', 'refused'].map((name) => ['deliveries', name]);
  for (const queryKey of keys) queries.setQueryData(queryKey, { deliveries: [row] });
  const [, refused = []] = keys;
  const queryFn = () => Promise.reject(new Error('refused'));
  await expect(queries.fetchQuery({ queryKey: refused, queryFn })).rejects.toThrow('refused');
  patchRows(queries, { delivery_id: 'a', status: 'success' } as Delivery);
  expect(keys.map((key) => queries.getQueryState(key)?.status)).toEqual(['success', 'error']);
  expect(queries.getQueryData(['deliveries', 'read'])).toEqual({
    deliveries: [{ ...row, status: 'success' }],
  });
  queries.clear();
});
