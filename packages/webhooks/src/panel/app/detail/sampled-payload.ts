import type { EventDescription } from '../api/records.ts';
import { choicesOf, listOf, type Schema, schemaOf, targetOf } from '../catalog/json-schema.ts';

const MAX_CHARACTERS = 32_768;

/** Schemas that are visited. */
const MAX_NODES = 1_000;

/**
 * Text by format. Zod writes some formats, such as a time, as a pattern alone, so these are tried
 * for patterns, too.
 */
const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['date', '2026-01-01'],
  ['date-time', '2026-01-01T00:00:00Z'],
  ['time', '00:00:00'],
  ['duration', 'P1D'],
  ['email', 'user@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
]);

/**
 * A payload of placeholders for a callback's JSON Schema: text of its format and length, numbers
 * within their bounds, the first of several choices. A schema within itself is left out. The
 * payload may not fit what a schema demands beyond that, such as a pattern.
 *
 * @returns indented JSON; null if the schema describes no member, or too many
 */
export function sampledPayload(schema: EventDescription['schema']): string | null {
  const root = schemaOf(schema);
  let nodes = 0;

  /** `refs` are those that led here; undefined stands for a value that is left out. */
  function sample(value: unknown, refs: readonly string[]): unknown {
    nodes += 1;
    if (nodes > MAX_NODES) return undefined;
    const at = schemaOf(value);
    const [given = at.const ?? at.default] = listOf(at.examples ?? at.enum);
    if (given !== undefined) return given;
    const [type] = [at.type].flat();
    if (type === 'string') return textFor(at);
    if (type === 'integer' || type === 'number') return numberFor(at, type);
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    if (type === 'array') {
      return itemsOf(at).flatMap((item) => {
        const sampled = sample(item, refs);
        return sampled === undefined ? [] : [sampled];
      });
    }
    const { $ref } = at;
    if (typeof $ref === 'string') {
      return refs.includes($ref) ? undefined : sample(targetOf($ref, root), [...refs, $ref]);
    }
    const parts = listOf(at.allOf).map((part) => sample(part, refs));
    if (parts.length > 0) return Object.assign({}, ...parts);
    const choices = choicesOf(at);
    if (choices.length > 0) {
      return choices.reduce<unknown>(
        (found, choice) => (found === undefined ? sample(choice, refs) : found),
        undefined,
      );
    }
    return Object.fromEntries(membersOf(at).map(([name, of]) => [name, sample(of, refs)]));
  }

  const text = JSON.stringify(sample({ $ref: '#/properties/data' }, []), null, 2);
  const isWhole = nodes <= MAX_NODES && text?.length <= MAX_CHARACTERS;
  return isWhole && text.startsWith('{\n') ? text : null;
}

/** The schema of each item: at least one if there may be one. */
function itemsOf({ prefixItems, items, minItems, maxItems }: Schema): readonly unknown[] {
  const first = listOf(prefixItems);
  const least = Math.max(1, first.length, Number(minItems ?? 0));
  const length = Math.min(least, Number(maxItems ?? MAX_NODES), MAX_NODES);
  return Array.from({ length }, (_, index) => first[index] ?? items);
}

/** The schema of each member. A record names its members in `required` alone. */
function membersOf({ properties, required, additionalProperties }: Schema): [string, unknown][] {
  const described = schemaOf(properties);
  const others = listOf(required)
    .map(String)
    .filter((name) => !Object.hasOwn(described, name));
  return [
    ...Object.entries(described),
    ...others.map((name): [string, unknown] => [name, additionalProperties]),
  ];
}

function textFor({ format, pattern, minLength, maxLength }: Schema): string {
  const known = FORMATS.get(format);
  const text = known ?? ['string', ...FORMATS.values()].find((each) => fits(each, pattern)) ?? 'string';
  return text
    .padEnd(Math.min(Number(minLength ?? 0), MAX_CHARACTERS), 'string')
    .slice(0, Number(maxLength ?? Infinity));
}

function fits(text: string, pattern: unknown): boolean {
  try {
    return typeof pattern !== 'string' || new RegExp(pattern).test(text);
  } catch {
    // Zod writes patterns without their flags, and some are none without them.
    return false;
  }
}

/** Zero, or the bound nearest to it. */
function numberFor(schema: Schema, type: 'integer' | 'number'): number {
  const minimum = Number(schema.minimum ?? -Infinity);
  const maximum = Number(schema.maximum ?? Infinity);
  const above = Number(schema.exclusiveMinimum ?? -Infinity);
  const below = Number(schema.exclusiveMaximum ?? Infinity);
  if (type === 'integer') {
    const least = Math.max(Math.ceil(minimum), Math.floor(above) + 1);
    return Math.min(Math.max(0, least), Math.floor(maximum), Math.ceil(below) - 1);
  }
  const step = Math.min(0.01, (Math.min(maximum, below) - Math.max(minimum, above)) / 2);
  return Math.min(Math.max(0, minimum, above + step), maximum, below - step);
}
