import { choicesOf, listOf, membersOf, requiredOf, type Schema, schemaOf, targetOf } from './json-schema.ts';

/** Schemas that are visited; what is beyond is `unknown`. */
const MAX_NODES = 1_000;
/** How often a schema within itself is written out; below that it is `unknown`. */
const MAX_DEPTH = 24;

const PRIMITIVES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * A TypeScript type of an event's callback, from its JSON Schema: the interface `OrderPaid` for
 * `order.paid`. Descriptions become comments. What TypeScript has no type for, such as a format or
 * a bound, is left out, and a schema within itself is `unknown` there.
 */
export function typeScriptOf(event: string, root: Schema): string {
  let nodes = 0;

  function typeOf(schema: Schema, indent: string, refs: readonly string[]): string {
    nodes += 1;
    if (nodes > MAX_NODES || indent.length > 2 * MAX_DEPTH) return 'unknown';
    const { $ref, type } = schema;
    if (typeof $ref === 'string') {
      if (refs.includes($ref)) return 'unknown';
      return typeOf(targetOf($ref, root), indent, [...refs, $ref]);
    }
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return unionOf(schema.enum.map(literal));
    const choices = choicesOf(schema);
    if (choices.length > 0) return unionOf(choices.map((choice) => typeOf(choice, indent, refs)));
    if (Array.isArray(type))
      return unionOf(type.map((one) => typeOf({ ...schema, type: one }, indent, refs)));
    if (type === 'array') return arrayOf(schema, indent, refs);
    if (type === 'object' || membersOf(schema, root).length > 0) return objectOf(schema, indent, refs);
    return PRIMITIVES.get(type) ?? 'unknown';
  }

  function arrayOf({ items, prefixItems }: Schema, indent: string, refs: readonly string[]): string {
    const first = listOf(prefixItems).map((item) => typeOf(schemaOf(item), indent, refs));
    const rest = items === false || (first.length > 0 && items === undefined) ? null : items;
    if (first.length === 0)
      return `${grouped(rest === null ? 'never' : typeOf(schemaOf(rest), indent, refs))}[]`;
    const others = rest === null ? [] : [`...${grouped(typeOf(schemaOf(rest), indent, refs))}[]`];
    return `[${[...first, ...others].join(', ')}]`;
  }

  function objectOf(schema: Schema, indent: string, refs: readonly string[]): string {
    const inner = `${indent}  `;
    const required = requiredOf(schema, root);
    const members = new Map(membersOf(schema, root));
    const { additionalProperties: others } = schema;
    if (members.size === 0) {
      return others === false
        ? 'Record<string, never>'
        : `Record<string, ${typeOf(schemaOf(others), inner, refs)}>`;
    }
    const lines = [...members].map(([name, of]) => {
      const mark = required.has(name) ? '' : '?';
      return `${comment(of.description, inner)}${inner}${keyOf(name)}${mark}: ${typeOf(of, inner, refs)};`;
    });
    return `{\n${lines.join('\n')}\n${indent}}`;
  }

  const described = comment(root.description, '');
  const body = typeOf(root, '', []);
  const name = interfaceName(event);
  return body.startsWith('{')
    ? `${described}export interface ${name} ${body}\n`
    : `${described}export type ${name} = ${body};\n`;
}

/** `OrderPaid` for `order.paid`; `Event` before a digit. */
function interfaceName(event: string): string {
  const name = event
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return IDENTIFIER.test(name) ? name : `Event${name}`;
}

function keyOf(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : (JSON.stringify(value) ?? 'unknown');
}

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return 'never';
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

/** In parentheses if a bracket behind it would belong to its last part alone. */
function grouped(type: string): string {
  return /^[^{("]*\|/.test(type) || /["})\]] \| /.test(type) ? `(${type})` : type;
}

function comment(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  // The text of a schema ends no comment.
  const safe = text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim();
  return `${indent}/** ${safe} */\n`;
}
