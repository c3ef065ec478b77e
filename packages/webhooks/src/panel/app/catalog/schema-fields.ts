import { choicesOf, membersOf, requiredOf, type Schema, schemaOf, targetOf } from './json-schema.ts';

/** A row of the table of fields. */
export interface SchemaField {
  /** `data.lines[].sku` */
  readonly path: string;
  readonly name: string;
  /** How deep it is in others: 0 for the members of the body. */
  readonly depth: number;
  /** `string`, `integer[]`, `string | null`, `object`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly format: string;
  readonly description: string;
  /** What it may be, as JSON; none if it may be anything of its type. */
  readonly values: readonly string[];
  /** `minimum: 0`, in the words of JSON Schema. */
  readonly bounds: readonly (readonly [string, string])[];
}

/** Rows that are shown. */
export const MAX_FIELDS = 300;
const MAX_DEPTH = 12;

const BOUNDS = [
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
];
/** What JavaScript's safe integers end at is no bound that says anything. */
const NO_BOUNDS: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/**
 * The fields of a schema, each before those within it. A schema within itself is not entered again.
 */
export function fieldsOf(root: Schema): { readonly fields: SchemaField[]; readonly isWhole: boolean } {
  const fields: SchemaField[] = [];
  let isWhole = true;

  function add(of: Schema, path: string, depth: number, refs: readonly string[]): void {
    const required = requiredOf(of, root);
    for (const [name, member] of new Map(membersOf(of, root))) {
      if (fields.length >= MAX_FIELDS || depth > MAX_DEPTH) {
        isWhole = false;
        return;
      }
      const entered = enter(member, root, refs);
      const place = path === '' ? name : `${path}.${name}`;
      fields.push({
        ...{ path: place, name, depth, isRequired: required.has(name) },
        ...factsOf(entered.schema, member, root),
      });
      if (entered.isRepeated) continue;
      const { inner, suffix } = withinOf(entered.schema, root);
      const into = enter(inner, root, entered.refs);
      if (!into.isRepeated) add(into.schema, place + suffix, depth + 1, into.refs);
    }
  }

  add(root, '', 0, []);
  return { fields, isWhole };
}

interface Entered {
  readonly schema: Schema;
  readonly refs: readonly string[];
  readonly isRepeated: boolean;
}

/** The schema behind references. */
function enter(schema: Schema, root: Schema, refs: readonly string[]): Entered {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return { schema, refs, isRepeated: false };
  const to = targetOf($ref, root);
  return refs.includes($ref) ? { schema: to, refs, isRepeated: true } : enter(to, root, [...refs, $ref]);
}

/** Whose members belong to a field: those of its items, or of the only choice that has any. */
function withinOf(schema: Schema, root: Schema): { readonly inner: Schema; readonly suffix: string } {
  if (schema.type === 'array') return { inner: schemaOf(schema.items), suffix: '[]' };
  const choices = choicesOf(schema).filter((choice) => enter(choice, root, []).schema.type !== 'null');
  const [only] = choices;
  return { inner: choices.length === 1 && only ? only : schema, suffix: '' };
}

function factsOf(schema: Schema, member: Schema, root: Schema) {
  const { format, description, enum: values } = schema;
  const given = 'const' in schema ? [schema.const] : Array.isArray(values) ? values : [];
  const bounds = BOUNDS.filter((name) => name in schema && !NO_BOUNDS.includes(schema[name]));
  return {
    type: typeText(schema, root, 0),
    format: typeof format === 'string' ? format : '',
    description: [member.description, description].find((text) => typeof text === 'string') ?? '',
    values: given.map((value) => JSON.stringify(value)),
    // A format says more than the pattern that a library writes for it.
    bounds: bounds
      .filter((name) => name !== 'pattern' || format === undefined)
      .map((name) => [name, String(schema[name])] as const),
  } as Pick<SchemaField, 'type' | 'format' | 'description' | 'values' | 'bounds'>;
}

function typeText(schema: Schema, root: Schema, depth: number): string {
  if (depth > MAX_DEPTH) return 'any';
  const { schema: of } = enter(schema, root, []);
  const choices = choicesOf(of);
  if (choices.length > 0) {
    return [...new Set(choices.map((choice) => typeText(choice, root, depth + 1)))].join(' | ');
  }
  if (Array.isArray(of.type)) return of.type.join(' | ');
  if (of.type === 'array') {
    const item = typeText(schemaOf(of.items), root, depth + 1);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (typeof of.type === 'string') return of.type;
  if ('const' in of) return of.const === null ? 'null' : typeof of.const;
  return membersOf(of, root).length > 0 ? 'object' : 'any';
}
