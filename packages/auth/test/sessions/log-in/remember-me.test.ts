import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../../src/sessions/log-in/credentials.ts';
import {
  readLoginBody,
  resolveRememberMe,
  sessionTtlSeconds,
} from '../../../src/sessions/log-in/remember-me.ts';

const AUTH = { refreshTokenTtlSeconds: 86_400 };
const SETTING = 2_592_000;

describe('the option rememberMeTtlSeconds', () => {
  it('is off by default', () => {
    expect(resolveRememberMe(undefined, AUTH)).toBeUndefined();
  });

  it.each([86_400, 34_560_000])('takes a life of %d s', (ttlSeconds) => {
    expect(resolveRememberMe(ttlSeconds, AUTH)).toBe(ttlSeconds);
  });

  it.each([
    [86_399, /rememberMeTtlSeconds.*86400 to 34560000, not 86399/],
    [34_560_001, /rememberMeTtlSeconds/],
    [86_400.5, /rememberMeTtlSeconds/],
    ['2592000', /rememberMeTtlSeconds/],
    [null, /rememberMeTtlSeconds/],
    [{ ttlSeconds: 2_592_000 }, /rememberMeTtlSeconds/],
  ])('refuses %j', (given, message) => {
    const loose: unknown = given;
    const resolve = () => resolveRememberMe(loose as number, AUTH);
    expect(resolve).toThrow(TypeError);
    expect(resolve).toThrow(message);
  });
});

describe('the body of a log-in', () => {
  it('is taken apart into the wish and the credentials', () => {
    const sent = { login: 'ada', password: 'x', remember_me: true };
    expect(readLoginBody(SETTING, sent)).toEqual({
      credentials: { login: 'ada', password: 'x' },
      rememberMe: true,
    });
    expect(sent).toHaveProperty('remember_me');
    expect(readLoginBody(SETTING, { login: 'ada', remember_me: false }).rememberMe).toBe(false);
    expect(readLoginBody(SETTING, { login: 'ada' })).toEqual({
      credentials: { login: 'ada' },
      rememberMe: false,
    });
  });

  it('is all credentials without the option, whatever its members are called', () => {
    const sent = { login: 'ada', remember_me: 'yes' };
    expect(readLoginBody(undefined, sent)).toEqual({ credentials: sent, rememberMe: false });
  });

  it.each([null, 'true', 1, 0, '', [], {}, [true]])('is refused with the wish %j', (wish) => {
    expect(() => readLoginBody(SETTING, { login: 'ada', remember_me: wish })).toThrow(
      expect.objectContaining({ code: 'input_invalid' }),
    );
  });

  it('has no wish that only a prototype holds', () => {
    const sent: Credentials = Object.create({ remember_me: true });
    expect(readLoginBody(SETTING, sent).rememberMe).toBe(false);
  });
});

describe('the life of a session', () => {
  it('is the longer one only where the log-in asks for it', () => {
    expect(sessionTtlSeconds(SETTING, AUTH, true)).toBe(2_592_000);
    expect(sessionTtlSeconds(SETTING, AUTH, false)).toBe(86_400);
    expect(sessionTtlSeconds(undefined, AUTH, false)).toBe(86_400);
  });

  it('is no guess: a wish that the host cannot mean is a TypeError', () => {
    expect(() => sessionTtlSeconds(undefined, AUTH, true)).toThrow(/needs the option rememberMe/);
    for (const wish of ['true', 1, null]) {
      const loose: unknown = wish;
      expect(() => sessionTtlSeconds(SETTING, AUTH, loose as boolean)).toThrow(TypeError);
    }
  });
});
