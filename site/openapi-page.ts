import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../test/structure/workspace-package.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}
interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  readonly $ref?: string;
}
interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

const METHODS = ['get', 'post', 'put', 'delete'];
const document: OpenApi = JSON.parse(
  readFileSync(join(repository, 'packages/webhooks/openapi.json'), 'utf8'),
);

/** The OpenAPI document of the admin API as a page: each operation, then each schema. */
export function openApiPage(): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation === undefined ? [] : [section(`${method.toUpperCase()} ${path}`, operation)];
    }),
  );
  const schemas = Object.entries(document.components.schemas)
    .filter(([name, { properties }]) => properties !== undefined && !name.startsWith('callback.'))
    .map(([name, schema]) => `### ${name}\n\n${line(schema.description)}\n\n${fields(schema)}`);
  return [
    '# The admin API, operation by operation',
    'Rendered from [`openapi.json`](/webhooks/openapi.json). The [guide](/webhooks/admin-api) has commands, and what this does not say.',
    ...operations,
    '## Errors',
    errors(),
    '## Schemas',
    ...schemas,
  ].join('\n\n');
}

function section(request: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const rows = parameters.map(({ name, in: place, schema, description }) => {
    return `| \`${name}\` (${place}) | ${schema ? kind(schema) : ''} | ${line(description)} |`;
  });
  const success = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const answers = success.map(([status, content]) => `${status} ${bodyOf(content)}`.trim());
  return [
    `## ${operation.summary}`,
    `\`${request}\` (\`${operation.operationId}\`)`,
    line(operation.description),
    rows.length > 0 ? `| parameter | type | meaning |\n|---|---|---|\n${rows.join('\n')}` : '',
    operation.requestBody ? `**Body:** ${bodyOf(operation.requestBody)}` : '',
    `**Answer:** ${answers.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Each code of a refusal once: descriptions of responses list them as "- `code`: meaning". */
function errors(): string {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const rows = operations.flatMap(({ responses = {} }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const name = response.$ref?.split('/').at(-1) ?? '';
      const { description = '' } = document.components.responses[name] ?? response;
      const codes = [...description.matchAll(/^- `(\w+)`: (.+)$/gm)];
      return codes.map(([, code, meaning]) => `| \`${code}\` | ${status} | ${meaning} |`);
    }),
  );
  const byStatus = [...new Set(rows)].sort((one, other) => statusOf(one) - statusOf(other));
  return `| code | status | when |\n|---|---|---|\n${byStatus.join('\n')}`;
}

const statusOf = (row: string): number => Number(row.split(' | ')[1]);

function bodyOf({ content = {} }: Content): string {
  const [media] = Object.values(content);
  return media?.schema ? kind(media.schema) : '';
}

function fields({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    return `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${kind(schema)} | ${line(schema.description)} |`;
  });
  return `| field | type | meaning |\n|---|---|---|\n${rows.join('\n')}`;
}

/** A type in a few words, with its bounds; a schema with a name as a link to it. */
function kind(schema: Schema): string {
  const name = schema.$ref?.split('/').at(-1);
  const named = name === undefined ? undefined : document.components.schemas[name];
  if (named !== undefined && named.properties === undefined) return kind(named);
  if (name !== undefined) return `[${name}](#${name.toLowerCase().replaceAll('.', '')})`;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(kind).join(' or ');
  if (schema.items) return `array of ${kind(schema.items)}`;
  const bounds = [schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength];
  const type = typeof schema.type === 'string' ? schema.type : (schema.type ?? []).join(' or ');
  const [low, high] = bounds.map((bound) => bound?.toLocaleString('en-US'));
  if (high === undefined) return low === undefined ? type : `${type}, at least ${low}`;
  return low === undefined ? `${type}, at most ${high}` : `${type}, ${low}–${high}`;
}

/** Prose on one line, without what Markdown or a table takes for markup. */
function line(text = ''): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
