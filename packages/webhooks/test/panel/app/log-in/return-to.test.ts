import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { returnToOf } from '../../../../src/panel/app/log-in/return-to.ts';

const LIST = '/admin/webhooks';
const query = (returnTo: string) => `?${new URLSearchParams({ return_to: returnTo })}`;

describe('where a log-in leads', () => {
  inOneTest([
    '/admin/webhooks/7?delivery=ab',
    '/admin/webhooks?search=%2F%2Fx&new=1',
    '/elsewhere/here#part',
    '/admin/webhooks/login-history',
  ])('is the page that was left: %s', (path) => {
    expect(returnToOf(query(path), LIST)).toBe(path);
  });

  inOneTest([
    '',
    '//evil.example',
    '/%2Fevil.example',
    'https://evil.example/',
    '/admin/webhooks/login',
    '/admin/webhooks/login?return_to=%2Fadmin',
    '/admin/webhooks/login#x',
    '/admin/webhooks/login/',
    '/admin/webhooks/login/?return_to=%2Fadmin',
  ])('is the list for %j', (path) => {
    expect(returnToOf(query(path), LIST)).toBe(LIST);
  });

  it('is the list if no page was left', () => {
    expect(returnToOf('', LIST)).toBe(LIST);
    expect(returnToOf('?other=/x', LIST)).toBe(LIST);
  });
});
