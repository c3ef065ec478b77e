import { describe } from 'vitest';
import { onExpress4, onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import type { Framework, Mount } from './framework.ts';
import { ON_HONO_ALONE, ON_HONO_SERVERS, ON_OLDEST_HONO_SERVER } from './hono-framework.ts';
import { mountContract, mountRoutingContract, mountSocketContract } from './mount-contract.ts';
import { sessionFlowContract } from './session-flow-contract.ts';

const CONTRACTS: readonly [string, (prefix: string, at: Mount['at']) => void][] = [
  ['Express 4', (prefix, at) => routed(onExpress4, prefix, at)],
  ['Express 5', (prefix, at) => routed(onExpress5, prefix, at)],
  ['Fastify 5', (prefix, at) => routed(onFastify, prefix, at)],
  ['fetch on Node', (prefix, at) => onNode(onFetch, prefix, at)],
];

const ON_HONO: typeof CONTRACTS = [
  ...ON_HONO_SERVERS.map(
    ([name, framework]) =>
      [name, (prefix, at) => onNode(framework, prefix, at)] satisfies (typeof CONTRACTS)[number],
  ),
  ...[...ON_OLDEST_HONO_SERVER, ...ON_HONO_ALONE].map(
    ([name, framework]) =>
      [name, (prefix, at) => anywhere(framework, prefix, at)] satisfies (typeof CONTRACTS)[number],
  ),
];

describe.each([...CONTRACTS, ...ON_HONO])('mountSessions on %s', (_, contract) => {
  describe('at the root', () => contract('', 'root'));
  describe('at the root, for a path below a prefix', () => contract('/api/admin', 'root'));
  describe('at its own path', () => contract('/api/admin', 'its own path'));
});

function routed<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  onNode(framework, prefix, at);
  mountRoutingContract(framework, prefix, at);
}

function onNode<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  anywhere(framework, prefix, at);
  mountSocketContract(framework, prefix, at);
}

function anywhere<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  mountContract(framework, prefix, at);
  describe('with sessions', () => sessionFlowContract(framework, prefix, at));
}
