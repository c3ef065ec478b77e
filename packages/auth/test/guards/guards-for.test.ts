import { describe } from 'vitest';
import { onExpress4, onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import type { Framework } from './framework.ts';
import { guardContract } from './guard-contract.ts';
import { onHonoAlone, onHonoServer } from './hono-framework.ts';
import { onNestOverExpress, onNestOverFastify } from './nest-framework.ts';
import { recentLoginContract } from './recent-login-contract.ts';
import { socketContract } from './socket-contract.ts';

const CONTRACTS: readonly [string, (prefix: string) => void][] = [
  ['Express 4', (prefix) => onNode(onExpress4, prefix)],
  ['Express 5', (prefix) => onNode(onExpress5, prefix)],
  ['Fastify 5', (prefix) => onNode(onFastify, prefix)],
  ['Hono 4 on Node', (prefix) => onNode(onHonoServer, prefix)],
  ['Hono 4 without a server', (prefix) => everywhere(onHonoAlone, prefix)],
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

describe.each(CONTRACTS)('the guards of %s', (_, contract) => {
  describe('at the root', () => contract(''));
  describe('under a prefix', () => contract('/api/admin'));
});
