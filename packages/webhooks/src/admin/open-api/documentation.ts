import { z } from 'zod';

/**
 * What the OpenAPI document says about a schema beside its shape. Keywords given here take the place of those that
 * follow from the schema: what a query parses from text is documented as the number it stands for.
 */
export interface SchemaDocumentation {
  /** The name under which the document has the schema once, and refers to it. */
  readonly id?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

/** A registry of this package's own: zod's global one is the host's. */
export const documentation = z.registry<SchemaDocumentation>();

/** A schema with what the document says about it. */
export function documented<Schema extends z.ZodType>(schema: Schema, about: SchemaDocumentation): Schema {
  documentation.add(schema, about);
  return schema;
}

/** How the document writes schemas: as what comes over the wire, before anything is parsed. */
export const SCHEMA_FORMAT = {
  io: 'input',
  metadata: documentation,
  unrepresentable: 'any',
  // zod leaves these out where a schema transforms its input; here they are of the input.
  override({
    zodSchema,
    jsonSchema,
  }: {
    zodSchema: z.core.$ZodType;
    jsonSchema: z.core.JSONSchema.BaseSchema;
  }) {
    const { default: fallback, examples } = documentation.get(zodSchema) ?? {};
    if (fallback !== undefined) Object.assign(jsonSchema, { default: fallback });
    if (examples !== undefined) Object.assign(jsonSchema, { examples });
  },
} as const;

/**
 * Refers to a schema that the document has under a name.
 *
 * @throws TypeError for one that has none
 */
export function schemaReference(schema: z.ZodType): { readonly $ref: string } {
  const id = documentation.get(schema)?.id;
  if (id === undefined) throw new TypeError('a body or an answer of a route has no id in its documentation');
  return { $ref: `#/components/schemas/${id}` };
}
