/** A JSON Schema, or what stands in the place of one. */
export type Schema = Readonly<Record<string, unknown>>;

export function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schema that a reference within the document leads to; an empty one if it leads nowhere. */
export function targetOf($ref: string, root: Schema): Schema {
  const names = $ref.split('/').slice(1).map(decoded);
  return schemaOf(
    names.reduce<unknown>((at, name) => {
      const members = schemaOf(at);
      return Object.hasOwn(members, name) ? members[name] : undefined;
    }, root),
  );
}

/** A part of a JSON Pointer in a URI fragment (RFC 6901 section 6). */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** The members that a schema describes: those of its parts, too. */
export function membersOf(schema: Schema, root: Schema): readonly (readonly [string, Schema])[] {
  const members = partsOf(schema, root).flatMap(({ properties }) => Object.entries(schemaOf(properties)));
  return members.map(([name, of]) => [name, schemaOf(of)] as const);
}

/** The names of the members that are always there. */
export function requiredOf(schema: Schema, root: Schema): ReadonlySet<unknown> {
  return new Set(partsOf(schema, root).flatMap(({ required }) => listOf(required)));
}

/** A schema, and what it is composed of, each behind its reference. */
function partsOf(schema: Schema, root: Schema, refs: readonly string[] = []): readonly Schema[] {
  const { $ref, allOf } = schema;
  if (typeof $ref === 'string') {
    return refs.includes($ref) ? [] : partsOf(targetOf($ref, root), root, [...refs, $ref]);
  }
  return [schema, ...listOf(allOf).flatMap((part) => partsOf(schemaOf(part), root, refs))];
}

/** The choices of a union. */
export function choicesOf({ anyOf, oneOf }: Schema): readonly Schema[] {
  return listOf(anyOf ?? oneOf).map(schemaOf);
}
