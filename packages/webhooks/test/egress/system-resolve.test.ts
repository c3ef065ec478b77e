import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ResolvedAddress } from '../../src/egress/resolve.ts';
import { createSystemResolve } from '../../src/egress/system-resolve.ts';
import { absentNameServer, nameServer, type Reply } from './name-server.ts';

const IPV4 = '93.184.215.14';
const IPV6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

/** Replies by type of question. */
const by =
  (a: Reply, aaaa: Reply) =>
  (question: string): Reply =>
    question.startsWith('AAAA ') ? aaaa : a;

const unused = vi.fn(async (): Promise<readonly ResolvedAddress[]> => {
  throw new Error('must not be asked');
});

/** Resolves with a name server on loopback; the operating system is not asked. */
async function resolving(replyTo: (question: string) => Reply, signal = new AbortController().signal) {
  const server = await nameServer(replyTo);
  const resolve = createSystemResolve({ nameServers: [server.address], lookup: unused });
  return { questions: server.questions, answers: resolve('a.example.com', { signal }) };
}

afterEach(() => {
  vi.useRealTimers();
  const { calls } = unused.mock;
  unused.mockClear();
  expect(calls).toEqual([]);
});

describe('resolver of the system', () => {
  it('answers with the addresses of both families, IPv4 first', async () => {
    const { answers } = await resolving(by([IPV4, '93.184.215.15'], [IPV6]));
    expect(await answers).toEqual([
      { address: IPV4, family: 4 },
      { address: '93.184.215.15', family: 4 },
      { address: IPV6, family: 6 },
    ]);
  });

  it('asks for the absolute name alone, whether it exists or not', async () => {
    const { answers, questions } = await resolving(() => 'NXDOMAIN');
    await expect(answers).rejects.toThrow();
    expect(questions.sort()).toEqual(['A a.example.com', 'AAAA a.example.com']);
  });

  it.each([
    ['IPv4', by([IPV4], 'NODATA'), [{ address: IPV4, family: 4 }]],
    ['IPv4, and a failing name server for IPv6', by([IPV4], 'SERVFAIL'), [{ address: IPV4, family: 4 }]],
    ['IPv6', by('NODATA', [IPV6]), [{ address: IPV6, family: 6 }]],
  ] as const)('answers with the one family there is: %s', async (_what, replyTo, expected) => {
    const { answers } = await resolving(replyTo);
    expect(await answers).toEqual(expected);
  });

  it('waits half a second longer for the other family, no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    const { answers } = await resolving(by([IPV4], 'silence'));
    void answers.then(settled);
    while (vi.getTimerCount() === 0) await turn();
    vi.advanceTimersByTime(499);
    await turn();
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await answers).toEqual([{ address: IPV4, family: 4 }]);
  });

  it.each(['NODATA', 'NXDOMAIN', 'SERVFAIL'] as const)(
    'rejects on %s, without asking the operating system',
    async (reply) => {
      const { answers } = await resolving(() => reply);
      await expect(answers).rejects.toThrow();
    },
  );

  it('ends at once when its signal fires, without asking the operating system', async () => {
    const giveUp = new AbortController();
    const { answers, questions } = await resolving(() => 'silence', giveUp.signal);
    const refused = expect(answers).rejects.toThrow();
    while (questions.length < 2) await turn();
    giveUp.abort();
    await refused;
  });
});

describe('resolver of the system, where the name servers do not serve it', () => {
  const { signal } = new AbortController();

  it.each([
    ['are absent', absentNameServer],
    ['refuse', async () => (await nameServer(() => 'REFUSED')).address],
  ])('asks the operating system for the absolute name when they %s', async (_what, start) => {
    const lookup = vi.fn(async () => [{ address: IPV4, family: 4 }]);
    const resolve = createSystemResolve({ nameServers: [await start()], lookup });
    expect(await resolve('a.example.com', { signal })).toEqual([{ address: IPV4, family: 4 }]);
    expect(lookup.mock.calls).toEqual([['a.example.com.', { all: true, verbatim: true }]]);
  });

  it('keeps at most two of the four threads of libuv busy', async () => {
    const release: (() => void)[] = [];
    const lookup = vi.fn(
      () => new Promise<readonly ResolvedAddress[]>((done) => release.push(() => done([]))),
    );
    const resolve = createSystemResolve({ nameServers: [await absentNameServer()], lookup });
    const looking = Array.from({ length: 10 }, (_, index) => resolve(`a${index}.example.com`, { signal }));
    for (let answered = 0; answered < 10; answered += 1) {
      while (release[answered] === undefined) await turn();
      expect(release.length - answered).toBeLessThanOrEqual(2);
      release[answered]?.();
    }
    expect((await Promise.all(looking)).flat()).toEqual([]);
  });
});
