import { describe, expect, it } from 'vitest';
import { instanceName } from '../../src/options/instance-name.ts';

const auth = (audience: string | false) => ({ options: { audience } });

describe('the name of an instance', () => {
  it('is the audience, and else the name that is given', () => {
    expect(instanceName({ auth: auth('/api') })).toBe('/api');
    expect(instanceName({ auth: auth('/api'), instance: '/api' })).toBe('/api');
    expect(instanceName({ auth: auth(false), instance: 'shop' })).toBe('shop');
    expect(instanceName({ instance: 'shop' })).toBe('shop');
    expect(instanceName({})).toBeUndefined();
  });

  it.each([
    [{ auth: auth(false) }, 'instance is required where the audience of auth is false'],
    [{ auth: auth('/api'), instance: 'shop' }, 'instance must be the audience of auth, or be left out'],
    [{ instance: '' }, 'instance must be a string of 1 to 256 characters'],
    [{ instance: 'x'.repeat(257) }, 'instance must be a string of 1 to 256 characters'],
    [{ instance: 'shop\0' }, 'instance must be a string of 1 to 256 characters'],
  ])('is refused with the reason: %j', (source, message) => {
    expect(() => instanceName(source)).toThrow(new TypeError(message));
  });
});
