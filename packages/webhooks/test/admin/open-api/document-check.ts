import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { OPENAPI_FILE } from './openapi-file.ts';

interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject & { readonly $ref?: string }>>;
}

/**
 * The shipped document: paths, answers and problems are the same whatever events an installation
 * has.
 */
const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
} = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'));

// An implementation of JSON Schema other than the one that wrote the schemas.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ ...document, components: { ...document.components, schemas: closedSchemas() } }, 'document');
const compiled = new Map<string, ValidateFunction>();

/**
 * The schemas as the API itself keeps to them. Those of the document leave answers open for members
 * that later versions add, and would let pass a member today that nobody has written down.
 */
function closedSchemas(): unknown {
  const close = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(close);
    if (typeof schema !== 'object' || schema === null) return schema;
    const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
    return 'properties' in schema && !('additionalProperties' in schema)
      ? { ...closed, additionalProperties: false }
      : closed;
  };
  const { schemas } = document.components;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, close(schema)]));
}

/** The base path of the document. */
const BASE = '/api/admin/webhooks';

/** What a request that no operation describes may be answered. */
const UNDESCRIBED: readonly number[] = [401, 403, 404, 405, 503];

/**
 * Paths of the document with how they look, those without a placeholder first, as the router has
 * them.
 */
const PATHS = Object.keys(document.paths)
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/**
 * Compares an answer with the OpenAPI document: its status, its content type, its headers, and
 * every member of its body. What the document does not name is an error.
 *
 * @throws Error naming what differs
 */
export function checkAgainstDocument(
  request: { readonly method: string; readonly pathname: string; readonly basePath?: string | undefined },
  answer: {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    readonly json: unknown;
  },
): void {
  const { method, basePath = BASE } = request;
  const isBelow = request.pathname.startsWith(basePath);
  const pathname = isBelow ? BASE + request.pathname.slice(basePath.length) : '';
  const what = `${method} ${request.pathname}: ${answer.status}`;
  const found = PATHS.find(({ pattern }) => pattern.test(pathname));
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = found === undefined ? undefined : document.paths[found.path]?.[verb];
  if (found === undefined || operation === undefined) {
    if (method === 'OPTIONS' && answer.status === 204) return;
    if (!UNDESCRIBED.includes(answer.status)) throw new Error(`${what} is not described`);
    checkBody('#/components/schemas/Problem', method, answer, what);
    return;
  }
  const declared = operation.responses[answer.status];
  if (declared === undefined) throw new Error(`${what} is not a status of this operation`);
  const pointer = declared.$ref ?? `#/paths/${escaped(found.path)}/${verb}/responses/${answer.status}`;
  const response = declared.$ref === undefined ? declared : document.components.responses[pointer.slice(23)];
  if (response === undefined) throw new Error(`${what}: ${pointer} leads nowhere`);
  for (const name of Object.keys(response.headers ?? {})) {
    if (!answer.headers.has(name)) throw new Error(`${what} lacks the header ${name}`);
  }
  const [type] = Object.keys(response.content ?? {});
  if (answer.headers.get('content-type') !== (type ?? null))
    throw new Error(`${what} has not the type ${type}`);
  if (type === undefined) {
    if (answer.text !== '') throw new Error(`${what} has a body`);
    return;
  }
  checkBody(`${pointer}/content/${escaped(type)}/schema`, method, answer, what);
}

function checkBody(
  pointer: string,
  method: string,
  answer: { readonly text: string; readonly json: unknown },
  what: string,
): void {
  if (method === 'HEAD') {
    if (answer.text !== '') throw new Error(`${what} has a body`);
    return;
  }
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
  compiled.set(pointer, validate);
  if (validate(answer.json)) return;
  throw new Error(
    `${what} differs from ${pointer}: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 500)}`,
  );
}

/** A token of a JSON pointer inside a URI fragment. */
function escaped(token: string): string {
  return encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'));
}
