import { type Compilable, CompiledQuery } from 'kysely';
import { Place, type Places, valueFor } from './places.ts';
import type { Tables } from './tables.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

/** The most shapes of a statement that are kept, the longest of some hundred KB. */
const MAX_SHAPES = 64;

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
      const built = build(tables, dialect, places, input).compile();
      // Without the tree that it was compiled from, which takes more than ten times the memory.
      text = CompiledQuery.raw(built.sql, [...built.parameters]);
      known.set(shape, text);
    }
    const parameters = text.parameters.map((given) => valueFor(given, input));
    const { rows } = await executor.executeQuery<Row>({ ...text, parameters });
    return rows;
  };
}
