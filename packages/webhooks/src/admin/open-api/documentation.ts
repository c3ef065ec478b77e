import { z } from 'zod';

/**
 * The keywords that the OpenAPI document adds to a schema. They replace those that follow from the
 * schema: a query parameter that is parsed from text is documented as a number.
 */
export interface SchemaDocumentation {
  /** The name under which the document defines the schema once and refers to it. */
  readonly id?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** Whom it is for. Default: everybody. The document does not say it. */
  readonly audience?: 'administrators';
  /**
   * Whether it is the URL of a webhook, whose query or fragment may hold a secret. The document
   * does not say it.
   */
  readonly isWebhookUrl?: true;
  readonly [keyword: string]: unknown;
}

/** The package's own registry, because zod's global one belongs to the host. */
export const documentation = z.registry<SchemaDocumentation>();

/** Returns a copy of the schema, with documentation. */
export function documented<Schema extends z.ZodType>(schema: Schema, about: SchemaDocumentation): Schema {
  // A copy: the schema may stand elsewhere with another description, or with none.
  const copy = schema.clone();
  documentation.add(copy, about);
  return copy;
}

/**
 * Refers to a schema that the document defines under a name.
 *
 * @throws TypeError for a schema without a name
 */
export function schemaReference(schema: z.ZodType): { readonly $ref: string } {
  const id = documentation.get(schema)?.id;
  if (id === undefined) throw new TypeError('a body or an answer of a route has no id in its documentation');
  return { $ref: `#/components/schemas/${id}` };
}
