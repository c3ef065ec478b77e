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

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
}

interface CheckedRequest {
  readonly method: string;
  readonly pathname: string;
  /** Default: that of the document. */
  readonly basePath?: string | undefined;
}

interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** Compares an answer with a document. @throws Error naming what differs */
type DocumentCheck = (request: CheckedRequest, answer: CheckedAnswer) => void;

/**
 * The schemas as the API itself keeps to them. Those of the document leave answers open for members
 * that later versions add, and would let pass a member today that nobody has written down.
 */
function closedSchemas({ schemas }: Document['components']): unknown {
  const close = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(close);
    if (typeof schema !== 'object' || schema === null) return schema;
    const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
    return 'properties' in schema && !('additionalProperties' in schema)
      ? { ...closed, additionalProperties: false }
      : closed;
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, close(schema)]));
}

/** What a request that no operation describes may be answered. */
const UNDESCRIBED: readonly number[] = [401, 403, 404, 405, 503];

/**
 * Compares answers with an OpenAPI document: their status, their content type, their headers, and
 * every member of their bodies. What the document does not name is an error.
 */
export function documentCheck(document: Document, documentBase: string): DocumentCheck {
  // An implementation of JSON Schema other than the one that wrote the schemas.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const components = { ...document.components, schemas: closedSchemas(document.components) };
  ajv.addSchema({ ...document, components }, 'document');
  const compiled = new Map<string, ValidateFunction>();
  // Those without a placeholder first, as the router has them.
  const paths = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }));

  function checkBody(pointer: string, method: string, answer: CheckedAnswer, what: string): void {
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

  return (request, answer) => {
    const { method, basePath = documentBase } = request;
    const isBelow = request.pathname.startsWith(basePath);
    const pathname = isBelow ? documentBase + request.pathname.slice(basePath.length) : '';
    const what = `${method} ${request.pathname}: ${answer.status}`;
    const found = paths.find(({ pattern }) => pattern.test(pathname));
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
    const response =
      declared.$ref === undefined ? declared : document.components.responses[pointer.slice(23)];
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
  };
}

/**
 * Compares an answer with the shipped document: paths, answers and problems are the same whatever
 * events an installation has.
 */
export const checkAgainstDocument: DocumentCheck = documentCheck(
  JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')),
  '/api/admin/webhooks',
);

/** A token of a JSON pointer inside a URI fragment. */
function escaped(token: string): string {
  return encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'));
}
