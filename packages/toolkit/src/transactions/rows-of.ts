/**
 * The rows in the answer of a driver: `{ rows }`, or the array itself; of mysql2, the first of
 * `[rows, fields]`. None if the answer holds none, as that to an insert.
 */
export function rowsOf(answer: unknown): readonly object[] {
  const [first] = Array.isArray(answer) ? answer : [];
  // mysql2 answers an insert with `[header, undefined]`.
  const isPair = Array.isArray(answer) && answer.length === 2 && (Array.isArray(first) || isHeader(first));
  const rows = isPair ? first : hasRows(answer) ? answer.rows : answer;
  return Array.isArray(rows) ? rows : [];
}

function hasRows(answer: unknown): answer is { readonly rows: unknown } {
  return typeof answer === 'object' && answer !== null && 'rows' in answer;
}

function isHeader(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'affectedRows' in value && 'serverStatus' in value;
}
