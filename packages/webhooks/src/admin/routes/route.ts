import type { z } from 'zod';
import { parseInput } from '../../registry/field-errors.ts';
import type { Webhooks } from '../../webhooks.ts';
import type { ProblemCode } from '../admin-problem.ts';
import type { AnswerOf } from '../answers.ts';
import type { AuditedChange } from '../audit.ts';
import { ADMIN_SCOPE, type AdminActor } from '../authorize.ts';
import type { IfMatch } from '../if-match.ts';

/** The part of the engine that the admin API uses. */
export type AdministeredWebhooks = Pick<
  Webhooks,
  | 'events'
  | 'eventSchemas'
  | 'explain'
  | 'create'
  | 'get'
  | 'list'
  | 'update'
  | 'delete'
  | 'deliveries'
  | 'delivery'
  | 'activity'
  | 'test'
  | 'redeliver'
  | 'rotateSecret'
  | 'recover'
>;

/** What a handler works with: the engine, and the API's own description. */
export interface RouteContext {
  readonly webhooks: AdministeredWebhooks;
  /** The OpenAPI document of this API. */
  readonly document: () => OpenApiDocument;
}

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: unknown;
}

/** The validated input of a route. */
interface Input<P, Q, B> {
  readonly actor: AdminActor;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** What it expects of the webhook; undefined where it says nothing, or the route does not look at it. */
  readonly ifMatch: IfMatch | undefined;
}

/** The JSON of a successful answer, undefined where it has no body. */
type Answer<A extends z.ZodType> = AnswerOf<A> & (object | undefined);

/** One operation of the API as data: a row of the route table. */
export interface RouteDefinition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  A extends z.ZodType,
> {
  /** Unique name of the operation, for logs and documents. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path: '' or segments such as `/{id}/deliveries`. */
  readonly path: string;
  readonly success: 200 | 201 | 202 | 204;
  /** What it does, in one line and in full, for documents. */
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Webhooks' | 'Deliveries' | 'Events' | 'Document';
  /** Of the `{…}` segments. A path whose segments do not fit does not exist. */
  readonly params: P;
  readonly query: Q;
  /** `noBody` where a body is neither needed nor looked at. */
  readonly body: B;
  /** Of the successful answer; `noAnswer` where it has no body. */
  readonly answer: A;
  /** Whether `If-Match` is evaluated (RFC 9110 section 13.1.1). Default: it is not looked at. */
  readonly isConditional?: boolean;
  /** What this operation alone refuses, beyond what follows from its method, path and body. */
  readonly problems: readonly ProblemCode[];
  /** Answers the JSON of a successful response, undefined where it has no body. */
  handle(context: RouteContext, input: Input<z.output<P>, z.output<Q>, z.output<B>>): Promise<Answer<A>>;
  /** The path below the base where what was made is found. */
  location?(answer: Answer<A>): string;
  /** The `updated_at` of the one webhook that the answer shows, for `ETag`. */
  updatedAt?(answer: Answer<A>): string;
  /** What an audit log is told of a request that succeeded; undefined where nothing was changed. */
  audit?(input: Input<z.output<P>, z.output<Q>, z.output<B>>, answer: Answer<A>): AuditedChange | undefined;
  /** The same of a request that failed; undefined where it failed before it had changed anything. */
  auditFailure?(
    input: Input<z.output<P>, z.output<Q>, z.output<B>>,
    error: unknown,
  ): AuditedChange | undefined;
}

/** The parts of a request as they came in, before any schema looked at them. */
export type RawInput = Input<unknown, unknown, unknown>;

/** What became of a request that changed something, or succeeded. */
export interface Outcome {
  /** Undefined where the answer has no body. */
  readonly json: object | undefined;
  readonly location: string | undefined;
  readonly updatedAt: string | undefined;
  readonly change: AuditedChange | undefined;
  /** What interrupted the request after it had changed something. */
  readonly failure?: { readonly error: unknown };
}

/** A row of any shape: its schemas for documents and routing, and one way to run it. */
export interface Route
  extends Omit<
    RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>,
    'handle' | 'location' | 'updatedAt' | 'audit' | 'auditFailure'
  > {
  /** What whoever makes the request needs. */
  readonly scope: typeof ADMIN_SCOPE;
  readonly hasLocation: boolean;
  readonly hasEtag: boolean;
  /** @throws WebhookError `validation_failed`, and whatever the operation refuses */
  run(context: RouteContext, input: RawInput): Promise<Outcome>;
}

/** Makes a row: its handler sees only what its schemas let through. */
export function defineRoute<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  A extends z.ZodType,
>(definition: RouteDefinition<P, Q, B, A>): Route {
  const { handle, location, updatedAt, audit, auditFailure, ...row } = definition;
  const { params, query, body } = row;
  return {
    ...row,
    scope: ADMIN_SCOPE,
    hasLocation: location !== undefined,
    hasEtag: updatedAt !== undefined,
    async run(context, raw) {
      const input = {
        actor: raw.actor,
        params: parseInput(params, raw.params),
        query: parseInput(query, raw.query),
        body: parseInput(body, raw.body),
        ifMatch: raw.ifMatch,
      };
      let answer: Answer<A>;
      try {
        answer = await handle(context, input);
      } catch (error) {
        const change = auditFailure?.(input, error);
        if (change === undefined) throw error;
        return { json: undefined, location: undefined, updatedAt: undefined, change, failure: { error } };
      }
      return {
        json: answer,
        location: location?.(answer),
        updatedAt: updatedAt?.(answer),
        change: audit?.(input, answer),
      };
    },
  };
}
