import type { EventDescription } from '../api/records.ts';

/** Levels of objects and arrays that are filled. */
const MAX_DEPTH = 8;
const MAX_CHARACTERS = 32_768;
const MAX_ITEMS = 100;

type Schema = Readonly<Record<string, unknown>>;

/** The placeholders of the formats that zod writes; other text is `string`. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'user@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * A payload of placeholders for a callback's JSON Schema: text of its format and length, numbers
 * within their bounds, the first of several choices. It may not fit what a schema demands beyond
 * that, such as a pattern.
 *
 * @returns indented JSON; null if the schema describes no member, or too many
 */
export function sampledPayload(schema: EventDescription['schema']): string | null {
  const { data } = schemaOf(schemaOf(schema).properties);
  const text = JSON.stringify(sample(schemaOf(data), schemaOf(schema), 0), null, 2);
  return text?.startsWith('{\n') && text.length <= MAX_CHARACTERS ? text : null;
}

function sample(schema: Schema, root: Schema, depth: number): unknown {
  const [given = schema.const ?? schema.default] = listOf(schema.examples ?? schema.enum);
  if (given !== undefined) return given;
  const [type] = [schema.type].flat();
  if (type === 'string') return textFor(schema);
  if (type === 'integer' || type === 'number') return numberFor(schema, type === 'integer' ? 1 : 0.01);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (depth > MAX_DEPTH) return {};
  if (typeof schema.$ref === 'string') {
    const path = schema.$ref.split('/').slice(1);
    return sample(
      path.reduce<Schema>((at, name) => schemaOf(at[name]), root),
      root,
      depth + 1,
    );
  }
  const parts = listOf(schema.allOf).map((part) => sample(schemaOf(part), root, depth));
  if (parts.length > 0) return Object.assign({}, ...parts);
  const [choice] = listOf(schema.anyOf ?? schema.oneOf);
  if (choice !== undefined) return sample(schemaOf(choice), root, depth);
  if (type === 'array') {
    const length = Math.min(Math.max(1, Number(schema.minItems ?? 1)), MAX_ITEMS);
    return Array(length).fill(sample(schemaOf(schema.items), root, depth + 1));
  }
  const members = Object.entries(schemaOf(schema.properties));
  return Object.fromEntries(members.map(([name, of]) => [name, sample(schemaOf(of), root, depth + 1)]));
}

function textFor({ format, minLength, maxLength }: Schema): string {
  const text = (typeof format === 'string' ? FORMATS[format] : undefined) ?? 'string';
  return text
    .padEnd(Math.min(Number(minLength ?? 0), MAX_CHARACTERS), 'string')
    .slice(0, Number(maxLength ?? Infinity));
}

/** Zero, or the bound nearest to it. */
function numberFor(schema: Schema, step: number): number {
  const least = Math.max(
    Number(schema.minimum ?? -Infinity),
    Number(schema.exclusiveMinimum ?? -Infinity) + step,
  );
  const most = Math.min(
    Number(schema.maximum ?? Infinity),
    Number(schema.exclusiveMaximum ?? Infinity) - step,
  );
  return Math.min(Math.max(0, least), most);
}

function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
