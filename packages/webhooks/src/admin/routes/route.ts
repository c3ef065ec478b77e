import type { z } from 'zod';
import type { Administration } from '../../administration.ts';
import type { ProblemCode } from '../../error-codes.ts';
import { parseInput } from '../../registry/field-errors.ts';
import type { ActorNames } from '../actor-names.ts';
import type { AdminProblem } from '../admin-problem.ts';
import { type Audience, answerFor, customersInput } from '../audience.ts';
import type { AuditedChange } from '../audit.ts';
import type { AdminActor } from '../authorize.ts';
import type { IfMatch } from '../if-match.ts';

/** The part of the engine that the admin API uses. */
export type AdministeredWebhooks = Administration;

/** The engine and the API's own description, for handlers. */
export interface RouteContext {
  /** Who asks: customers neither send nor see what is for administrators. */
  readonly audience: Audience;
  /** Whether the user has the scope to change. */
  readonly mayChange: boolean;
  readonly webhooks: AdministeredWebhooks;
  /** The OpenAPI document of this API. */
  readonly document: () => OpenApiDocument;
  /** The host's names of those who created some webhooks. */
  readonly namesOf: ActorNames;
  /** Logs a failure on this side of which the answer tells only the code. */
  readonly report: (problem: AdminProblem) => void;
}

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: unknown;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The validated input of a route. */
interface Input<P, Q, B> {
  readonly actor: AdminActor;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /**
   * The expected state of the webhook; undefined without the header, or if the route ignores it.
   */
  readonly ifMatch: IfMatch | undefined;
}

/**
 * The JSON of a successful answer, undefined if it has no body. Nothing of it is changed once it
 * is made.
 */
export type Answer<A extends z.ZodType> = Frozen<z.input<A>> & (object | undefined);

/** The JSON of a request's body, as a client sends it. */
export type Sent<B extends z.ZodType> = Frozen<z.input<B>>;

/** The values of a path or a query, as a client gives them: their text, or what it stands for. */
export type Spelled<S extends z.ZodObject> = {
  readonly [Name in keyof z.input<S>]: z.input<S>[Name] | z.output<S>[Name & keyof z.output<S>];
};

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** What a client needs to know of an operation, as types: the panel's own client reads them. */
export interface Operation<
  M extends string = string,
  Path extends string = string,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  IsConditional extends boolean = boolean,
> {
  readonly method: M;
  /** Relative to the base path: '' or segments such as `/{id}/deliveries`. */
  readonly path: Path;
  /** The schema of the `{…}` segments. A path whose segments do not match it does not exist. */
  readonly params: P;
  readonly query: Q;
  /** `noBody` if the operation ignores the body. */
  readonly body: B;
  /** The schema of the successful answer; `noAnswer` if it has no body. */
  readonly answer: A;
  /** Whether `If-Match` is evaluated (RFC 9110 section 13.1.1). Default: it is ignored. */
  readonly isConditional?: IsConditional;
}

/** One operation of the API as data: a row of the route table. */
export interface RouteDefinition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  A extends z.ZodType,
  M extends Method = Method,
  Path extends string = string,
  IsConditional extends boolean = boolean,
> extends Operation<M, Path, P, Q, B, A, IsConditional> {
  /** Unique name of the operation, for logs and documents. */
  readonly name: string;
  readonly success: 200 | 201 | 202 | 204;
  /** Whose operation it is. Default: everybody's, with the webhooks that are theirs. */
  readonly audience?: 'administrators';
  /** For the OpenAPI document: what the operation does, in one line and in full. */
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Webhooks' | 'Deliveries' | 'Events' | 'Document';
  /** Whether a request without a body is accepted. `body` then accepts undefined. Default: no. */
  readonly isBodyOptional?: boolean;
  /** The problems of this operation, besides those that follow from its method, path and body. */
  readonly problems: readonly ProblemCode[];
  /** Returns the JSON of a successful response, undefined if it has no body. */
  handle(context: RouteContext, input: Input<z.output<P>, z.output<Q>, z.output<B>>): Promise<Answer<A>>;
  /** The path of the created resource, relative to the base path. */
  location?(answer: Answer<A>): string;
  /** The `updated_at` of the webhook in the answer, for `ETag`. */
  updatedAt?(answer: Answer<A>): string;
  /** What to report for a request that succeeded; undefined or none if it changed nothing. */
  audit?(
    input: Input<z.output<P>, z.output<Q>, z.output<B>>,
    answer: Answer<A>,
  ): AuditedChange | readonly AuditedChange[] | undefined;
  /** The same for a request that failed; undefined if it failed before it changed anything. */
  auditFailure?(
    input: Input<z.output<P>, z.output<Q>, z.output<B>>,
    error: unknown,
  ): AuditedChange | undefined;
}

/** The parts of a request before validation. */
export type RawInput = Input<unknown, unknown, unknown>;

/** The outcome of a request that succeeded, or failed after it had changed something. */
export interface Outcome {
  /** Undefined if the answer has no body. */
  readonly json: object | undefined;
  readonly location: string | undefined;
  readonly updatedAt: string | undefined;
  readonly changes: readonly AuditedChange[];
  /** The error that interrupted the request after it had changed something. */
  readonly failure?: { readonly error: unknown };
}

/**
 * A row of any shape: its schemas, for routing and for the OpenAPI document, and a way to run it.
 */
export interface Route
  extends Omit<
    RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>,
    'handle' | 'location' | 'updatedAt' | 'audit' | 'auditFailure'
  > {
  readonly hasLocation: boolean;
  readonly hasEtag: boolean;
  /** @throws WebhookError `validation_failed`, and the problems of the operation */
  run(context: RouteContext, input: RawInput): Promise<Outcome>;
}

/** Creates a row. Its handler sees validated input only. */
export function defineRoute<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  A extends z.ZodType,
  const M extends Method,
  const Path extends string,
  const IsConditional extends boolean = false,
>(
  definition: RouteDefinition<P, Q, B, A, M, Path, IsConditional>,
): Omit<Route, keyof Operation> & Operation<M, Path, P, Q, B, A, IsConditional> {
  const { handle, location, updatedAt, audit, auditFailure, ...row } = definition;
  const { params, query, body } = row;
  const inputs = {
    administrators: { query, body },
    customers: { query: customersInput(query), body: customersInput(body) },
  };
  return {
    ...row,
    hasLocation: location !== undefined,
    hasEtag: updatedAt !== undefined,
    async run(context, raw) {
      const sent = inputs[context.audience];
      const input = {
        actor: raw.actor,
        params: parseInput(params, raw.params),
        query: parseInput(sent.query, raw.query),
        body: parseInput(sent.body, raw.body),
        ifMatch: raw.ifMatch,
      };
      let answer: Answer<A>;
      try {
        answer = await handle(context, input);
      } catch (error) {
        const change = auditFailure?.(input, error);
        if (change === undefined) throw error;
        return {
          json: undefined,
          location: undefined,
          updatedAt: undefined,
          changes: [change],
          failure: { error },
        };
      }
      return {
        json: answerFor(context.audience, row.answer, answer, context.mayChange),
        location: location?.(answer),
        updatedAt: updatedAt?.(answer),
        changes: [audit?.(input, answer) ?? []].flat(),
      };
    },
  };
}
