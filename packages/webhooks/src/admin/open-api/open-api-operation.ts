import { z } from 'zod';
import { type Audience, isShownTo } from '../audience.ts';
import type { Route } from '../routes/route.ts';
import { noAnswer } from '../schemas/answers.ts';
import { noBody } from '../schemas/bodies.ts';
import { schemaReference } from './documentation.ts';
import { problemReferences } from './open-api-problems.ts';
import { schemaFormat } from './schema-format.ts';

type Json = Readonly<Record<string, unknown>>;

const PHRASES = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content' } as const;

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an answer that showed this webhook, which is its `updated_at` in quotation marks. Separate several by commas. If the webhook has changed since then, the answer is 412 `precondition_failed`, and nothing happens. `*` or no header accepts any state.',
  schema: { type: 'string', maxLength: 2_048, examples: ['"2026-11-20T04:10:00.123Z"'] },
};

const ETAG = {
  description: 'The state of the webhook: its `updated_at` in quotation marks.',
  schema: { type: 'string', examples: ['"2026-11-20T04:10:00.123Z"'] },
};

/** One route as an OpenAPI operation object. */
export function operationOf(route: Route, security: readonly Json[], audience: Audience): Json {
  const { name, tag, summary, description, params, query, body, success } = route;
  const parameters = [
    ...parametersOf('path', params, audience),
    ...parametersOf('query', query, audience),
    ...(route.isConditional ? [IF_MATCH] : []),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === noBody
      ? {}
      : {
          requestBody: {
            required: route.isBodyOptional !== true,
            content: { 'application/json': { schema: schemaReference(body) } },
          },
        }),
    responses: { [success]: successOf(route), ...problemReferences(route) },
  };
}

function successOf({ success, answer, hasLocation, hasEtag }: Route): Json {
  const location = {
    description: 'The path of the created resource.',
    schema: { type: 'string', format: 'uri-reference' },
  };
  return {
    description: PHRASES[success],
    ...(hasLocation || hasEtag
      ? { headers: { ...(hasLocation && { Location: location }), ...(hasEtag && { ETag: ETAG }) } }
      : {}),
    ...(answer === noAnswer ? {} : { content: { 'application/json': { schema: schemaReference(answer) } } }),
  };
}

function parametersOf(place: 'path' | 'query', { shape }: z.ZodObject, audience: Audience): Json[] {
  const shown = Object.entries(shape).filter(([, parameter]) => isShownTo(audience, parameter));
  return shown.map(([name, parameter]) => {
    if (!(parameter instanceof z.ZodType))
      throw new TypeError(`the ${place} parameter ${name} has no schema`);
    const { $schema, description, ...schema } = z.toJSONSchema(parameter, schemaFormat(audience));
    const required = place === 'path' || !parameter.safeParse(undefined).success;
    return { name, in: place, required, description, schema };
  });
}
