import { describe, expect, it } from 'vitest';
import { Browser, sessionHost } from '../sessions/session-host.ts';

const WRONG = 'not the password';

describe('session fixation', () => {
  it('is answered by a new session, and ends the one whose cookie was planted', async () => {
    const host = sessionHost();
    const attacker = new Browser(host);
    await attacker.logIn('42');
    const victim = new Browser(host);
    for (const [name, cookie] of attacker.cookies) victim.cookies.set(name, cookie);
    expect((await victim.logIn('7')).status).toBe(200);
    expect(victim.refreshToken).not.toBe(attacker.refreshToken);
    expect((await attacker.poll()).status).toBe(401);
    const poll = await victim.poll();
    expect([poll.status, await poll.json()]).toMatchObject([200, { uid: '7' }]);
  });
});

describe('guessing passwords', () => {
  const statusesOf = async (attempts: readonly Promise<Response>[]) =>
    (await Promise.all(attempts)).map(({ status }) => status);

  it('ends after ten failures of an account, for the right password too, until the window is over', async () => {
    const host = sessionHost();
    const guesser = new Browser(host);
    for (let guess = 0; guess < 10; guess += 1) expect((await guesser.logIn('7', WRONG)).status).toBe(401);
    const refused = await guesser.logIn('7');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await guesser.logIn('42')).status).toBe(200);
    host.clock.advance(900);
    expect((await guesser.logIn('7')).status).toBe(200);
  });

  it('lets no more through when a hundred guesses come at once', async () => {
    const guesser = new Browser(sessionHost());
    const statuses = await statusesOf(Array.from({ length: 100 }, () => guesser.logIn('7', WRONG)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
  });

  it('counts every spelling of an account as one', async () => {
    const guesser = new Browser(sessionHost());
    const spellings = ['ada', 'ADA', ' ada ', 'ＡＤＡ', '\u00a0Ada', 'ädá', 'a\u200bda', 'ada\u0301\u034f'];
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      statuses.push((await guesser.logIn(spellings[guess % spellings.length], WRONG)).status);
    }
    expect(statuses).toEqual([...new Array(10).fill(401), 429]);
  });

  it('ends after a hundred failures from one network, whatever the accounts', async () => {
    const guesser = new Browser(sessionHost());
    const statuses: number[] = [];
    for (let guess = 0; guess < 101; guess += 1) {
      guesser.connection = { ip: `2001:db8:1:2:${guess.toString(16)}::1` };
      statuses.push((await guesser.logIn(`user-${guess}`, WRONG)).status);
    }
    expect(statuses).toEqual([...new Array(100).fill(401), 429]);
    guesser.connection = { ip: '2001:db8:1:3::1' };
    expect((await guesser.logIn('7')).status).toBe(200);
  });
});
