import 'reflect-metadata';
import { ApolloDriver } from '@nestjs/apollo';
import {
  type CanActivate,
  type ExceptionFilter,
  type INestApplication,
  Module,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule, Mutation, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { MercuriusDriver } from '@nestjs/mercurius';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WebSocket } from 'undici';
import { onTestFinished } from 'vitest';

/** A field, as a method of a resolver: its guards, and what it answers. */
export interface Field {
  readonly guards?: readonly CanActivate[];
  /** Its parent. Default: queries. */
  readonly of?: 'Query' | 'Mutation' | 'Subscription' | 'User';
  /** Decorators of its parameters. Without any, it gets root, arguments, context and info. */
  readonly parameters?: readonly ParameterDecorator[];
  readonly resolve: (...args: never[]) => unknown;
}

export interface Graphql {
  readonly fields: Readonly<Record<string, Field>>;
  readonly fieldResolverEnhancers?: readonly 'guards'[];
  readonly filters?: readonly ExceptionFilter[];
  /** Runs on every request, in front of GraphQL. */
  readonly outer?: (request: object) => void;
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly string[];
  readonly extensions?: { readonly code?: unknown; readonly http?: unknown };
}

export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlError[];
}

export interface GraphqlServer {
  /** Sends one operation. */
  ask(query: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends several in one request. */
  askBatch(queries: readonly string[], headers?: Record<string, string>): Promise<readonly Answer[]>;
  /** Subscribes over a WebSocket, and resolves to the first event, or the error. */
  subscribe(query: string, headers?: Record<string, string>): Promise<Answer>;
}

export type StartGraphql = (graphql: Graphql) => Promise<GraphqlServer>;

const MODULES = {
  apollo: (options: object) =>
    GraphQLModule.forRoot({
      driver: ApolloDriver,
      graphiql: false,
      allowBatchedHttpRequests: true,
      subscriptions: { 'graphql-ws': true },
      includeStacktraceInErrorResponses: false,
      ...options,
    }),
  mercurius: (options: object) =>
    GraphQLModule.forRoot({
      driver: MercuriusDriver,
      graphiql: false,
      allowBatchedQueries: true,
      subscription: true,
      ...options,
    }),
};

export const apolloOnExpress: StartGraphql = (graphql) =>
  start(new ExpressAdapter(), MODULES.apollo, graphql);
export const apolloOnFastify: StartGraphql = (graphql) =>
  start(new FastifyAdapter(), MODULES.apollo, graphql);
export const mercurius: StartGraphql = (graphql) => start(new FastifyAdapter(), MODULES.mercurius, graphql);
/** With its compiler, which makes the `info` of fields itself. */
export const mercuriusCompiled: StartGraphql = (graphql) =>
  start(new FastifyAdapter(), (options) => MODULES.mercurius({ ...options, jit: 1 }), graphql);

async function start(
  adapter: ExpressAdapter | FastifyAdapter,
  moduleOf: (options: object) => ReturnType<typeof GraphQLModule.forRoot>,
  { fields, fieldResolverEnhancers = [], filters = [], outer = () => {} }: Graphql,
): Promise<GraphqlServer> {
  class AppModule {}
  const graphqlModule = moduleOf({ typeDefs: typeDefsOf(fields), path: '/graphql', fieldResolverEnhancers });
  Module({ imports: [graphqlModule], providers: resolversOf(fields) })(AppModule);
  const app: INestApplication = await NestFactory.create(AppModule, adapter, { logger: false });
  app.useGlobalFilters(...filters);
  if (adapter instanceof FastifyAdapter) {
    adapter.getInstance().addHook('onRequest', async (request) => outer(request));
  } else {
    app.use((request: object, _response: object, next: () => void) => {
      outer(request);
      next();
    });
  }
  await app.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
  });
  const url = `${await app.getUrl()}/graphql`;
  const post = async (body: object, headers: Record<string, string>) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    return await (
      await fetch(url, { ...init, headers: { 'content-type': 'application/json', ...headers } })
    ).json();
  };
  return {
    ask: async (query, headers = {}) => (await post({ query }, headers)) as Answer,
    askBatch: async (queries, headers = {}) =>
      (await post(
        queries.map((query) => ({ query })),
        headers,
      )) as readonly Answer[],
    subscribe: (query, headers = {}) => firstEvent(url.replace('http', 'ws'), query, headers),
  };
}

function typeDefsOf(fields: Graphql['fields']): string {
  const fieldsOf = (parent: string) =>
    Object.entries(fields)
      .filter(([, { of = 'Query' }]) => of === parent)
      .map(([name]) => `${name}(from: String): ${name === 'user' ? 'User' : 'String'}`);
  return ['Query', 'Mutation', 'Subscription', 'User']
    .map((parent) => `type ${parent} { unused: String ${fieldsOf(parent).join(' ')} }`)
    .join('\n');
}

/** One resolver for each field, as decorators would make it. */
function resolversOf(fields: Graphql['fields']): (new () => object)[] {
  return Object.entries(fields).map(([name, { guards = [], of = 'Query', parameters = [], resolve }]) => {
    class FieldResolver {}
    const { prototype } = FieldResolver;
    const descriptor = { value: resolve.bind(undefined), configurable: true, writable: true };
    Object.defineProperty(prototype, name, descriptor);
    const decorators = { Query, Mutation, Subscription, User: ResolveField };
    decorators[of](name)(prototype, name, descriptor);
    UseGuards(...guards)(prototype, name, descriptor);
    for (const [index, parameter] of parameters.entries()) parameter(prototype, name, index);
    (of === 'User' ? Resolver('User') : Resolver())(FieldResolver);
    return FieldResolver;
  });
}

async function firstEvent(url: string, query: string, headers: Record<string, string>): Promise<Answer> {
  const socket = new WebSocket(url, { protocols: 'graphql-transport-ws', headers });
  const send = (message: object) => socket.send(JSON.stringify(message));
  try {
    return await new Promise<Answer>((resolve, reject) => {
      socket.onopen = () => send({ type: 'connection_init' });
      socket.onerror = () => reject(new Error('The socket failed'));
      socket.onclose = ({ code, reason }) => reject(new Error(`The socket was closed: ${code} ${reason}`));
      socket.onmessage = ({ data }) => {
        const { type, payload } = JSON.parse(data);
        if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
        if (type === 'next') resolve(payload);
        if (type === 'error') resolve({ errors: [payload].flat() });
      };
    });
  } finally {
    socket.close();
  }
}
