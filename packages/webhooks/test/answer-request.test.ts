import { describe, expect, it } from 'vitest';
import { UnusableRequestError } from '../../toolkit/src/node-web/unusable-request.ts';
import { answerRequest } from '../src/answer-request.ts';

describe('answerRequest', () => {
  it('answers 400 with a problem where no Request can carry what was sent, and never asks the handler', async () => {
    let asked = 0;
    const handler = async () => {
      asked += 1;
      return new Response();
    };
    const response = await answerRequest(handler, () => {
      throw new UnusableRequestError('The Host header is malformed.');
    });
    expect(response.status).toBe(400);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'bad_request',
      detail: 'The Host header is malformed.',
    });
    expect(asked).toBe(0);
  });

  it('passes on every other error', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const failing = answerRequest(
      async () => broken(),
      () => new Request('http://a'),
    );
    await expect(failing).rejects.toThrow('broken');
    await expect(answerRequest(async () => new Response(), broken)).rejects.toThrow('broken');
  });
});
