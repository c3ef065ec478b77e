import { type RawBuilder, sql } from 'kysely';

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
  const among = (input: unknown): To =>
    Reflect.apply(
      to,
      undefined,
      from.map((one) => valueFor(one, input)),
    );
  return from.some((one) => one instanceof Place) ? new Place(among) : among(undefined);
}

/** How many members a text has for a list: a power of two, so that few texts serve all lengths. */
export function membersFor(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(length, 1)));
}

/** The values of a list, each a parameter; those that are left of the members repeat the last one. */
export function listOf<Type>(values: Given<readonly Type[]>, length: number): RawBuilder<Type> {
  const members = Array.from({ length: membersFor(length) }, (_, index) =>
    derived([values], (all) => all[Math.min(index, all.length - 1)]),
  );
  return sql<Type>`(${sql.join(members)})`;
}

/** The value that a run puts there. */
export function valueFor(given: unknown, input: unknown): unknown {
  return given instanceof Place ? given.read(input as never) : given;
}
