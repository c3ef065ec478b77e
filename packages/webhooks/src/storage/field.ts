type Kind = 'id' | 'text' | 'line' | 'url' | 'patterns' | 'number' | 'boolean' | 'time';

/** What is known of a field of a record besides its type: told once, as plain data. */
export interface Field {
  /** Its column, and its name in the API. */
  readonly column: string;
  /**
   * `id`: 32 hex characters. `line`: text on one line. `patterns`: event patterns. A list: one of
   * these words.
   */
  readonly holds: Kind | readonly string[];
  /** Bounds: of the number; of the text in UTF-16 code units; of the items. */
  readonly min?: number;
  readonly max?: number;
  readonly isNullable?: true;
  /** What a new record has if nothing is said. Absent: it must be said, or nobody sets it. */
  readonly initial?: unknown;
  /** Whom the API shows it, and lets set it if it is set: also customers, or administrators alone. */
  readonly audience: 'everybody' | 'administrators';
  readonly example: unknown;
}

/** A row for each field of a record. */
export type Fields<Values = Record<string, unknown>> = { readonly [Name in keyof Values]: Field };

/** The columns of a record. */
export function columnsOf<const All extends Fields>(fields: All): All[keyof All]['column'][] {
  return Object.values<Field>(fields).map(({ column }) => column);
}

/** The values of a record by their columns: as the API spells them. */
export type ByColumn<All extends Fields, Values> = {
  readonly [Name in keyof All & keyof Values as All[Name]['column']]: Values[Name];
};

/** The described fields that a record has, by their columns and in their order. */
export function byColumn<const All extends Fields, Values extends object>(
  fields: All,
  values: Values,
): ByColumn<All, Values> {
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(values));
  const named = Object.entries(fields).filter(([name]) => given.has(name));
  return Object.fromEntries(named.map(([name, { column }]) => [column, given.get(name)])) as ByColumn<
    All,
    Values
  >;
}

/** The other way round: described fields, whose values are given by their columns. */
export function fromColumns<Values>(fields: Fields<Values>, values: object): Partial<Values> {
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(values));
  const named = Object.entries<Field>(fields).filter(([, { column }]) => given.has(column));
  return Object.fromEntries(named.map(([name, { column }]) => [name, given.get(column)])) as Partial<Values>;
}
