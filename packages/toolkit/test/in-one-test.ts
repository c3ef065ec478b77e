import { inspect } from 'node:util';
import { it } from 'vitest';

type Check = (...row: readonly unknown[]) => unknown;

/**
 * As `it.each`, but one test for all rows, which names every row that fails: for a table of inputs
 * that leave nothing behind. What a row registers to be closed is closed after the last one.
 */
export const inOneTest = ((rows: readonly unknown[]) => (title: string, check: Check) => {
  it(title.replace(/%[a-z]|\$\w+/g, '…'), async () => {
    // As `it.each` has it: a list among other values is one value.
    const areLists = rows.every((row) => Array.isArray(row));
    const failures: Error[] = [];
    for (const [at, row] of rows.entries()) {
      try {
        await check(...(areLists ? (row as unknown[]) : [row]));
      } catch (error) {
        const { message } = error as Error;
        failures.push(
          new Error(`row ${at}, ${inspect(row, { maxStringLength: 200 })}: ${message}`, { cause: error }),
        );
      }
    }
    if (rows.length === 0) throw new Error('There is no row');
    if (failures.length === 1) throw failures[0];
    const all = failures.map(({ message }) => message).join('\n\n');
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} rows fail\n${all}`);
  });
}) as typeof it.each;
