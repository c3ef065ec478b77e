import { describe } from 'vitest';
import type { Framework, Mount } from './framework.ts';
import { mountAnswerContract } from './mount-answer-contract.ts';
import { mountContract, mountRoutingContract } from './mount-contract.ts';
import { mountSocketContract } from './mount-socket-contract.ts';
import { sessionFlowContract } from './session-flow-contract.ts';

/** What a framework lets `mountSessions` promise, beside what it always does. */
export interface MountPlace {
  /** Whether it routes by the target as it was sent. */
  readonly routes?: boolean;
  /** Whether there are sockets, which it treats well. Default true. */
  readonly overSocket?: boolean;
}

/** Everything that `mountSessions` promises, wherever the handler is put. */
export function describeMount<G>(
  name: string,
  framework: Framework<G>,
  { routes = false, overSocket = true }: MountPlace = {},
): void {
  describe.each<[string, string, Mount['at']]>([
    ['at the root', '', 'root'],
    ['at the root, for a path below a prefix', '/api/admin', 'root'],
    ['at its own path', '/api/admin', 'its own path'],
  ])(`mountSessions on ${name} %s`, (_, prefix, at) => {
    mountAnswerContract(framework, prefix, at);
    mountContract(framework, prefix, at);
    if (routes) mountRoutingContract(framework, prefix, at);
    if (overSocket) mountSocketContract(framework, prefix, at);
    describe('with sessions', () => sessionFlowContract(framework, prefix, at));
  });
}
