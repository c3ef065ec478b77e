import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

/** A value, or in a statement that is compiled once the place of one. */
export type Given<Type> = Type | Place<Type>;

/** Where each run puts what follows from its input. Kysely takes it for the value of a parameter. */
export class Place<Type> {
  readonly read: (input: never) => Type;

  constructor(read: (input: never) => Type) {
    this.read = read;
  }
}

/** The same input, with a place for each member. */
export type Places<Input> = { readonly [Name in keyof Input]-?: Place<Input[Name]> };

/** What follows from values, or where one of them has a place from those of a run. */
export function derived<From extends readonly unknown[], To>(
  from: { readonly [Index in keyof From]: Given<From[Index]> },
  to: (...values: From) => To,
): Given<To> {
  const among = (input: unknown) => to(...(from.map((one) => valueFor(one, input)) as unknown as From));
  return from.some((one) => one instanceof Place) ? new Place(among) : among(undefined);
}

/** As many values of a list, each a parameter. */
export function listOf<Type>(values: Given<readonly Type[]>, length: number): RawBuilder<Type> {
  const members = Array.from({ length }, (_, index) => derived([values], (all) => all[index]));
  return sql<Type>`(${sql.join(members)})`;
}

function valueFor(given: unknown, input: unknown): unknown {
  return given instanceof Place ? given.read(input as never) : given;
}

/** The most shapes of a statement that are kept. */
const MAX_SHAPES = 256;

/**
 * A statement whose text is built and compiled once for each storage: Kysely takes longer for that
 * than some databases for the statement. A run puts its input into the text's places.
 *
 * @param build may take from `first`, the input of one run, nothing but what the shape tells
 * @param shapeOf what distinguishes the texts, where there is more than one
 */
export function compiledOnce<Input extends object, Row>(
  build: (tables: Tables, dialect: WebhookDialect, places: Places<Input>, first: Input) => Compilable<Row>,
  shapeOf: (input: Input, dialect: WebhookDialect) => string | number | boolean = () => true,
): (tables: Tables, dialect: WebhookDialect, input: Input) => Promise<readonly Row[]> {
  const places = new Proxy({} as Places<Input>, {
    get: (_, name) => new Place((input: Input) => input[name as keyof Input]),
  });
  return async (tables, dialect, input) => {
    const { executor, texts } = tables;
    const known: Map<unknown, CompiledQuery> = texts.get(build) ?? new Map();
    texts.set(build, known);
    const shape = shapeOf(input, dialect);
    let text = known.get(shape);
    if (text === undefined) {
      if (known.size >= MAX_SHAPES) known.clear();
      text = build(tables, dialect, places, input).compile();
      known.set(shape, text);
    }
    const parameters = text.parameters.map((given) => valueFor(given, input));
    const { rows } = await executor.executeQuery<Row>({ ...text, parameters });
    return rows;
  };
}
