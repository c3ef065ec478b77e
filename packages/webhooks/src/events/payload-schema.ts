import type { StandardSchemaV1 } from '@standard-schema/spec';

/**
 * A schema of an event's payload: any Standard Schema (zod 3.24+, valibot 1+, ArkType 2+, or a
 * handwritten one) whose output is an object. It may be asynchronous. Recipients get its output as
 * JSON.
 *
 * Source: https://standardschema.dev, version 1.
 */
export type PayloadSchema<Input = unknown, Output extends object = object> = StandardSchemaV1<Input, Output>;

/**
 * Tells whether a value has the members of a schema that the engine calls. A schema may be a
 * function, as in ArkType.
 */
export function isPayloadSchema(value: unknown): value is PayloadSchema {
  if (!isIndexable(value) || !('~standard' in value)) return false;
  const standard: unknown = value['~standard'];
  return isIndexable(standard) && 'validate' in standard && typeof standard.validate === 'function';
}

function isIndexable(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
