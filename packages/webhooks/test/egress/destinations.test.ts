import { describe, expect, test } from 'vitest';
import { createDestinations, MAX_CACHED_DESTINATIONS } from '../../src/egress/destinations.ts';
import { createUrlPolicy } from '../../src/egress/url-policy.ts';

const URL_TEXT = 'https://hooks.example.com:8443/orders?tenant=7#ignored';

describe('destinations', () => {
  function countingReads() {
    let reads = 0;
    const policy = createUrlPolicy();
    const read = createDestinations({
      read(text) {
        reads += 1;
        return policy.read(text);
      },
    });
    return { read, reads: () => reads };
  }

  test('are read once as long as they are kept, and no more of them are kept than the bound says', () => {
    const { read, reads } = countingReads();
    read(URL_TEXT);
    for (let index = 1; index < MAX_CACHED_DESTINATIONS; index++) read(`https://hooks.example.com/${index}`);
    read(URL_TEXT);
    expect(reads()).toBe(MAX_CACHED_DESTINATIONS);
    read('https://hooks.example.com/one-more');
    read(URL_TEXT);
    expect(reads()).toBe(MAX_CACHED_DESTINATIONS + 2);
  });

  test('a URL that is refused is refused each time, with its reason', () => {
    const read = createDestinations(createUrlPolicy());
    for (let time = 0; time < 2; time++) {
      expect(read('http://169.254.169.254/latest')).toMatchObject({ kind: 'refused', cause: 'address' });
      expect(read('http://hooks.local/')).toMatchObject({ kind: 'refused', cause: 'url' });
    }
  });
});
