import { z } from 'zod';
import { type Audience, answerFor, isShownTo } from '../audience.ts';
import { documentation } from './documentation.ts';

/** How a document writes schemas for its readers: as the JSON on the wire, before it is parsed. */
export function schemaFormat(audience: Audience) {
  return {
    io: 'input',
    metadata: documentation,
    unrepresentable: 'any',
    override({
      zodSchema,
      jsonSchema,
    }: {
      zodSchema: z.core.$ZodType;
      jsonSchema: z.core.JSONSchema.BaseSchema;
    }) {
      delete jsonSchema.audience;
      delete jsonSchema.isWebhookUrl;
      // zod omits these keywords if a schema transforms its input; here they describe the input.
      const { default: fallback, examples } = documentation.get(zodSchema) ?? {};
      if (fallback !== undefined) Object.assign(jsonSchema, { default: fallback });
      if (examples !== undefined) Object.assign(jsonSchema, { examples });
      if (zodSchema instanceof z.ZodObject) leaveOut(audience, zodSchema, jsonSchema);
    },
  } as const;
}

/** Leaves out of an object's schema, and of its examples, what is for another audience. */
function leaveOut(audience: Audience, object: z.ZodObject, schema: z.core.JSONSchema.BaseSchema): void {
  for (const name of Object.keys(object.shape)) {
    if (isShownTo(audience, object.shape[name])) continue;
    delete schema.properties?.[name];
    if (schema.required) schema.required = schema.required.filter((required) => required !== name);
  }
  // An example of a page has members that only the schemas of its items name.
  if (schema.examples)
    schema.examples = schema.examples.map((example) => shownExample(audience, object, example));
}

function shownExample(audience: Audience, schema: z.ZodType, example: unknown): unknown {
  return typeof example === 'object' && example !== null
    ? answerFor(audience, schema, example, true)
    : example;
}
