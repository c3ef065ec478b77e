import { describe, expect, it } from 'vitest';
import { ConsumedBodyError, consumedBody, isBodyRead, isConsumedBodyError } from '../src/consumed-body.ts';

describe('a consumed body', () => {
  it('fails when it is read, and not before', async () => {
    const { body } = new Request('http://a/', {
      method: 'POST',
      body: consumedBody(),
      ...{ duplex: 'half' },
    });
    await expect(new Response(body).text()).rejects.toThrow(ConsumedBodyError);
  });

  it.each<[string, (request: Request) => unknown, boolean]>([
    ['untouched', () => undefined, false],
    ['read', (request) => request.text(), true],
    ['held by a reader', ({ body }) => void body?.getReader(), true],
  ])('is told from one that is %s', async (_, touch, isRead) => {
    const request = new Request('http://a/', { method: 'POST', body: 'x' });
    await touch(request);
    expect(isBodyRead(request)).toBe(isRead);
  });

  it('is recognised by its error, also that of another copy', async () => {
    // A query makes the module loader evaluate the same file a second time.
    const copyUrl = '../src/consumed-body.ts?second-copy';
    const copy: typeof import('../src/consumed-body.ts') = await import(/* @vite-ignore */ copyUrl);
    const error = new copy.ConsumedBodyError();
    expect(error).not.toBeInstanceOf(ConsumedBodyError);
    expect([error, new Error('x'), null].map(isConsumedBodyError)).toEqual([true, false, false]);
  });
});
