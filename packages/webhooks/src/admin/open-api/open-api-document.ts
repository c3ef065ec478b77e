import { z } from 'zod';
import { placedSchema } from '../../events/event-schemas.ts';
import { VERSION } from '../../version.ts';
import type { Audience } from '../audience.ts';
import type { AdministeredWebhooks, OpenApiDocument, Route } from '../routes/route.ts';
import { ADMIN_SCOPES, type ApiScopes } from '../scopes.ts';
import { documentation } from './documentation.ts';
import { callbackOperations, callbackParameters, callbackSchemaName } from './open-api-callbacks.ts';
import { operationOf } from './open-api-operation.ts';
import { problemResponses } from './open-api-problems.ts';
import { schemaFormat } from './schema-format.ts';

/** The API that a document describes: its readers, and what they need to use it. */
export interface DescribedApi {
  readonly audience: Audience;
  readonly scopes: ApiScopes;
}

const ADMIN_API: DescribedApi = { audience: 'administrators', scopes: ADMIN_SCOPES };

const TITLES: Readonly<Record<Audience, string>> = {
  administrators: 'Webhook administration',
  customers: 'Webhooks',
};

const USERS: Readonly<Record<Audience, string>> = {
  administrators: 'Administrators',
  customers: 'Customers of an application',
};

function descriptionOf({ audience, scopes: { read, change } }: DescribedApi): string {
  const scopes =
    read === change
      ? `every operation needs the scope
\`${change}\`.`
      : `what only reads needs the scope
\`${read}\` or \`${change}\`, every other operation \`${change}\`.`;
  return `\
${USERS[audience]} register URLs and event patterns; every subscribed URL receives a signed callback for each event
(\`webhooks\` below), retried until it is accepted or its attempts are used up.

Bodies are JSON of at most 65,536 bytes, in snake_case; unknown fields and query parameters are refused. Answers are
never cached. A later version may add members to them. Every error is a problem detail (RFC 9457) with a stable
\`code\`; a framework adapter may answer 400 \`bad_request\` in the same shape for a request that is not valid HTTP.

The application that this API is part of authenticates the user; ${scopes} Requests that a cookie authenticates are protected against pages of other sites. \`Webhooks-User\` of an answer is a digest of the user and the tenant: it differs for another user. A change that sends it is refused if the user is another one by now (409 \`other_user\`).

HEAD is answered like GET without a body, OPTIONS with \`Allow\`. Any other method is 405 \`method_not_allowed\`, any
other path 404 \`not_found\`.`;
}

const SECURITY_SCHEMES = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'access_token',
    description:
      'A log-in of the application. The name is the one of `@acme/auth`; the host may use another.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key or a token, where the application accepts one.',
  },
};

/**
 * Describes the API in OpenAPI 3.1 (JSON Schema of draft 2020-12). The document has an operation
 * per route, and a callback per event under `webhooks`, with the payload schemas that can be
 * expressed in JSON Schema. The same routes, base path and events give the same text. What is not
 * for the readers of the document is not in it.
 */
export function openApiDocument(
  routes: readonly Route[],
  basePath: string,
  webhooks: Pick<AdministeredWebhooks, 'events' | 'eventSchemas'>,
  api: DescribedApi = ADMIN_API,
): OpenApiDocument {
  const callbacks = Object.entries(webhooks.eventSchemas()).map(([event, schema]) => {
    const name = callbackSchemaName(event);
    return [name, placedSchema(schema, `#/components/schemas/${name}`)] as const;
  });
  const paths = pathsOf(routes, basePath, api);
  const responses = problemResponses(routes);
  const document = {
    openapi: '3.1.0',
    info: { title: TITLES[api.audience], version: VERSION, description: descriptionOf(api) },
    servers: [{ url: '/', description: 'The application that this API is part of.' }],
    tags: [
      { name: 'Webhooks', description: 'Registered URLs and what they subscribe to.' },
      { name: 'Deliveries', description: 'The callbacks that were sent to a webhook, and their results.' },
      { name: 'Events', description: 'The events to subscribe to, and their subscribers.' },
      { name: 'Document', description: 'This document.' },
      { name: 'Callbacks', description: 'The requests that recipients receive.' },
    ],
    paths,
    webhooks: callbackOperations(webhooks.events),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: callbackParameters(),
      responses,
      schemas: {
        ...referredTo([paths, responses], namedSchemas(routes, api.audience)),
        ...Object.fromEntries(callbacks),
      },
    },
  };
  // Drops the keywords that a schema's documentation removed by setting them to `undefined`.
  return JSON.parse(JSON.stringify(document));
}

function pathsOf(routes: readonly Route[], basePath: string, { audience, scopes }: DescribedApi): object {
  const paths = new Map<string, Record<string, object>>();
  for (const route of routes) {
    const path = `${basePath}${route.path}`;
    const item = paths.get(path) ?? {};
    const scope = route.method === 'GET' ? scopes.read : scopes.change;
    const security = Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: [scope] }));
    item[route.method.toLowerCase()] = operationOf(route, security, audience);
    paths.set(path, item);
  }
  return Object.fromEntries(paths);
}

type Schemas = Readonly<Record<string, unknown>>;

/** The schemas that something refers to, itself or through others. */
function referredTo(by: object, schemas: Schemas): Schemas {
  const names = new Set<string>();
  const open: unknown[] = [by];
  for (const part of open) {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (!names.has(name)) open.push(schemas[name]);
      names.add(name);
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

function namedSchemas(routes: readonly Route[], audience: Audience): Schemas {
  const sent = new Set(routes.map(({ body }) => documentation.get(body)?.id));
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(documentation, { ...schemaFormat(audience), uri });
  const named = Object.entries(schemas)
    .map(([id, { $schema, $id, id: _, ...schema }]) => [id, sent.has(id) ? schema : opened(schema)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(named);
}

/**
 * Opens the schema of an answer for clients: it allows members that a later version adds. The API's
 * own schema allows none.
 */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(
    ([key, value]) => key !== 'additionalProperties' || value !== false,
  );
  return Object.fromEntries(members.map(([key, value]) => [key, opened(value)]));
}
