import { describe } from 'vitest';
import { answerContract } from './answer-contract.ts';
import { apiKeyContract } from './api-key-contract.ts';
import type { Framework } from './framework.ts';
import { guardContract } from './guard-contract.ts';
import { recentLoginContract } from './recent-login-contract.ts';
import { socketContract } from './socket-contract.ts';

/** Everything that guards promise, at the root and under a prefix. */
export function describeGuards<G>(name: string, framework: Framework<G>, overSocket = true): void {
  describe.each([
    ['at the root', ''],
    ['under a prefix', '/api/admin'],
  ])(`the guards of ${name} %s`, (_, prefix) => {
    answerContract(framework, prefix);
    guardContract(framework, prefix);
    apiKeyContract(framework, prefix);
    recentLoginContract(framework, prefix);
    if (overSocket) socketContract(framework, prefix);
  });
}
