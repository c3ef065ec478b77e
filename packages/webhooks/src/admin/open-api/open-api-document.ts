import { z } from 'zod';
import { placedSchema } from '../../events/event-schemas.ts';
import { VERSION } from '../../version.ts';
import type { AdministeredWebhooks, OpenApiDocument, Route } from '../routes/route.ts';
import { documentation, SCHEMA_FORMAT } from './documentation.ts';
import { callbackOperations, callbackParameters, callbackSchemaName } from './open-api-callbacks.ts';
import { operationOf } from './open-api-operation.ts';
import { problemResponses } from './open-api-problems.ts';

const DESCRIPTION = `\
Administrators register URLs and event patterns; every subscribed URL receives a signed callback for each event
(\`webhooks\` below), retried until it is accepted or its attempts are used up.

Bodies are JSON of at most 65,536 bytes, in snake_case; unknown fields and query parameters are refused. Answers are
never cached. A later version may add members to them. Every error is a problem detail (RFC 9457) with a stable
\`code\`; a framework adapter may answer 400 \`bad_request\` in the same shape for a request that is not valid HTTP.

The application that this API is part of authenticates the user; every operation needs the scope
\`admin:webhooks\`. Requests that a cookie authenticates are protected against pages of other sites.

HEAD is answered like GET without a body, OPTIONS with \`Allow\`. Any other method is 405 \`method_not_allowed\`, any
other path 404 \`not_found\`.`;

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
 * expressed in JSON Schema. The same routes, base path and events give the same text.
 */
export function openApiDocument(
  routes: readonly Route[],
  basePath: string,
  webhooks: Pick<AdministeredWebhooks, 'events' | 'eventSchemas'>,
): OpenApiDocument {
  const callbacks = Object.entries(webhooks.eventSchemas()).map(([event, schema]) => {
    const name = callbackSchemaName(event);
    return [name, placedSchema(schema, `#/components/schemas/${name}`)] as const;
  });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Webhook administration', version: VERSION, description: DESCRIPTION },
    servers: [{ url: '/', description: 'The application that this API is part of.' }],
    tags: [
      { name: 'Webhooks', description: 'Registered URLs and what they subscribe to.' },
      { name: 'Deliveries', description: 'The callbacks that were sent to a webhook, and their results.' },
      { name: 'Events', description: 'The events to subscribe to, and their subscribers.' },
      { name: 'Document', description: 'This document.' },
      { name: 'Callbacks', description: 'The requests that recipients receive.' },
    ],
    paths: pathsOf(routes, basePath),
    webhooks: callbackOperations(webhooks.events),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: callbackParameters(),
      responses: problemResponses(routes),
      schemas: {
        ...namedSchemas(routes),
        ...Object.fromEntries(callbacks),
      },
    },
  };
  // Drops the keywords that a schema's documentation removed by setting them to `undefined`.
  return JSON.parse(JSON.stringify(document));
}

function pathsOf(routes: readonly Route[], basePath: string): object {
  const paths = new Map<string, Record<string, object>>();
  for (const route of routes) {
    const path = `${basePath}${route.path}`;
    const item = paths.get(path) ?? {};
    item[route.method.toLowerCase()] = operationOf(route, Object.keys(SECURITY_SCHEMES));
    paths.set(path, item);
  }
  return Object.fromEntries(paths);
}

function namedSchemas(routes: readonly Route[]): object {
  const sent = new Set(routes.map(({ body }) => documentation.get(body)?.id));
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(documentation, { ...SCHEMA_FORMAT, uri });
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
