import type { z } from 'zod';
import { parseInput } from '../registry/field-errors.ts';
import type { Webhooks } from '../webhooks.ts';
import type { AdminActor } from './authorize.ts';

/** The part of the engine that the admin API uses. */
export type AdministeredWebhooks = Pick<
  Webhooks,
  'events' | 'create' | 'get' | 'list' | 'update' | 'delete' | 'deliveries' | 'delivery' | 'test'
>;

/** One operation of the API as data: a row of the route table. */
export interface RouteDefinition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  /** Unique name of the operation, for logs and documents. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path: '' or segments such as `/{id}/deliveries`. */
  readonly path: string;
  readonly success: 200 | 201 | 202 | 204;
  /** Of the `{…}` segments. A path whose segments do not fit does not exist. */
  readonly params: P;
  readonly query: Q;
  /** `noBody` where a body is neither needed nor looked at. */
  readonly body: B;
  /** Answers the JSON of a successful response, undefined where it has no body. */
  handle(
    webhooks: AdministeredWebhooks,
    input: {
      readonly actor: AdminActor;
      readonly params: z.output<P>;
      readonly query: z.output<Q>;
      readonly body: z.output<B>;
    },
  ): Promise<object | undefined>;
}

/** The parts of a request as they came in, before any schema looked at them. */
export interface RawInput {
  readonly actor: AdminActor;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A row of any shape: its schemas for documents and routing, and one way to run it. */
export interface Route extends Omit<RouteDefinition<z.ZodType, z.ZodType, z.ZodType>, 'handle'> {
  /** @throws WebhookError `validation_failed`, and whatever the operation refuses */
  run(webhooks: AdministeredWebhooks, input: RawInput): Promise<object | undefined>;
}

/** Makes a row: its handler sees only what its schemas let through. */
export function defineRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: RouteDefinition<P, Q, B>,
): Route {
  const { handle, ...row } = definition;
  const { params, query, body } = row;
  return {
    ...row,
    async run(webhooks, input) {
      return handle(webhooks, {
        actor: input.actor,
        params: parseInput(params, input.params),
        query: parseInput(query, input.query),
        body: parseInput(body, input.body),
      });
    },
  };
}
