import { describe } from 'vitest';
import { onExpress4, onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import type { Framework } from './framework.ts';
import { guardContract } from './guard-contract.ts';
import { ON_HONO_ALONE, ON_HONO_SERVERS, ON_OLDEST_HONO_SERVER } from './hono-framework.ts';
import { onNestOverExpress, onNestOverFastify } from './nest-framework.ts';
import { recentLoginContract } from './recent-login-contract.ts';
import { socketContract } from './socket-contract.ts';

const CONTRACTS: readonly [string, (prefix: string) => void][] = [
  ['Express 4', (prefix) => onNode(onExpress4, prefix)],
  ['Express 5', (prefix) => onNode(onExpress5, prefix)],
  ['Fastify 5', (prefix) => onNode(onFastify, prefix)],
  ['fetch on Node', (prefix) => onNode(onFetch, prefix)],
  ['Nest over Express', (prefix) => onNode(onNestOverExpress, prefix)],
  ['Nest over Fastify', (prefix) => onNode(onNestOverFastify, prefix)],
];

function everywhere<G>(framework: Framework<G>, prefix: string): void {
  guardContract(framework, prefix);
  recentLoginContract(framework, prefix);
}

function onNode<G>(framework: Framework<G>, prefix: string): void {
  everywhere(framework, prefix);
  socketContract(framework, prefix);
}

const ON_HONO: typeof CONTRACTS = [
  ...[...ON_HONO_SERVERS, ...ON_OLDEST_HONO_SERVER].map(
    ([name, framework]) => [name, (prefix) => onNode(framework, prefix)] satisfies (typeof CONTRACTS)[number],
  ),
  ...ON_HONO_ALONE.map(
    ([name, framework]) =>
      [name, (prefix) => everywhere(framework, prefix)] satisfies (typeof CONTRACTS)[number],
  ),
];

describe.each([...CONTRACTS, ...ON_HONO])('the guards of %s', (_, contract) => {
  describe('at the root', () => contract(''));
  describe('under a prefix', () => contract('/api/admin'));
});
