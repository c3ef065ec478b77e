import { describe, expect, it } from 'vitest';
import { guarded, type Wrapper } from '../../src/fetch/guarded.ts';
import { cookies } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

const authenticated = () => new Request('http://localhost/x', { headers: cookies(forgeToken()) });

describe('guarded', () => {
  it('asks the first guard first, and the handler last', async () => {
    const order: string[] = [];
    const noting =
      (name: string): Wrapper =>
      (handler) =>
      async (request, ...rest) => {
        order.push(name);
        return await handler(request, ...rest);
      };
    await guarded([noting('first'), noting('second')], () => {
      order.push('handler');
      return new Response();
    })(authenticated());
    expect(order).toEqual(['first', 'second', 'handler']);
  });

  it('is the handler where there is no guard', async () => {
    expect(await (await guarded([], () => new Response('x'))(authenticated())).text()).toBe('x');
  });
});
