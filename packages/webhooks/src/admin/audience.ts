import { z } from 'zod';
import { shownUrl } from '../registry/shown-url.ts';
import { documentation } from './open-api/documentation.ts';

/** Whom an API is for. What is said to be for administrators is not there for customers. */
export type Audience = 'administrators' | 'customers';

/** What may be for administrators alone: a row of the route table, or a schema's documentation. */
interface Addressed {
  readonly audience?: 'administrators';
}

/** True unless something is for administrators alone, and this audience is another. */
export function isFor(audience: Audience, { audience: only }: Addressed = {}): boolean {
  return only === undefined || only === audience;
}

/** True unless the schema of a field, a parameter or an answer is for another audience. */
export function isShownTo(audience: Audience, schema: unknown): boolean {
  return !(schema instanceof z.ZodType) || isFor(audience, documentation.get(schema));
}

/** The schema of an input as customers may send it: fields for administrators are unknown ones. */
export function customersInput<Schema extends z.ZodType>(schema: Schema): Schema {
  const object = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(object instanceof z.ZodObject)) return schema;
  const fields = Object.entries<z.ZodType>(object.shape);
  const shownFields = fields.filter(([, field]) => isShownTo('customers', field));
  if (shownFields.length === fields.length) return schema;
  if (object.def.checks?.length) throw new TypeError('a rule of this schema would not hold for customers');
  const shown = z.strictObject(Object.fromEntries(shownFields));
  const input: z.ZodType = schema instanceof z.ZodOptional ? shown.optional() : shown;
  return input as Schema;
}

/**
 * The part of an answer that an audience sees.
 *
 * @param mayChange false for a customer's user who may only look: a webhook's URL is then without
 *   its query and fragment, which may hold a secret
 */
export function answerFor<Answer extends object | undefined>(
  audience: Audience,
  schema: z.ZodType,
  answer: Answer,
  mayChange: boolean,
): object | undefined {
  if (audience === 'administrators') return answer;
  const shown = shownIn(schema, answer, mayChange);
  return typeof shown === 'object' && shown !== null ? shown : undefined;
}

/**
 * What customers see of a value: of an object, the members that its schema names, but for those of
 * administrators.
 *
 * @throws TypeError for an object that this cannot look into: a field could stay in it
 */
function shownIn(schema: unknown, value: unknown, mayChange: boolean): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return shownIn(schema.unwrap(), value, mayChange);
  }
  if (typeof value === 'string' && !mayChange && isWebhookUrl(schema)) return shownUrl(value);
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => shownIn(schema.element, item, mayChange));
  }
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodString) return value;
  if (!(schema instanceof z.ZodObject)) throw new TypeError('an answer has a schema that is not looked into');
  // The host's own JSON: a payload, a schema, an example.
  if (schema.def.catchall instanceof z.ZodUnknown) return value;
  const shown = Object.entries(value).filter(
    ([name]) => Object.hasOwn(schema.shape, name) && isShownTo('customers', schema.shape[name]),
  );
  return Object.fromEntries(
    shown.map(([name, member]) => [name, shownIn(schema.shape[name], member, mayChange)]),
  );
}

function isWebhookUrl(schema: unknown): boolean {
  return schema instanceof z.ZodType && documentation.get(schema)?.isWebhookUrl === true;
}
