import type { Field, Fields } from '../storage/field.ts';

/** The described fields of a row. Drivers differ: a host may have configured its own for BigInt or text. */
export function valuesOf<Values>(fields: Fields<Values>, row: object): Values {
  const columns: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
  const values = Object.entries<Field>(fields).map(([name, { column, holds }]) => {
    const value = columns.get(column);
    if (holds === 'boolean') return [name, Number(value) === 1];
    return [name, holds === 'number' && value !== null ? Number(value) : value];
  });
  return Object.fromEntries(values);
}
