import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { generateSecret } from '../../src/signing/secret.ts';
import { verify } from '../../src/signing/verify.ts';
import { BODY, deliveryHeaders, SECRET } from './signed-delivery.ts';

describe('together with the standardwebhooks package', () => {
  const now = Math.floor(Date.now() / 1000);

  it('that package verifies our headers unmodified, from either secret of a rotation', () => {
    const previousSecret = generateSecret();
    const headers = deliveryHeaders({ attemptAtSeconds: now, previousSecret });
    for (const secret of [SECRET, previousSecret]) {
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    }
    expect(() => new Webhook(generateSecret()).verify(BODY, headers)).toThrow();
    expect(() => new Webhook(SECRET).verify(`${BODY} `, headers)).toThrow();
  });

  it('our verify accepts what that package signs', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': String(now),
      'webhook-signature': new Webhook(SECRET).sign(
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        new Date(now * 1000),
        BODY,
      ),
    };
    const event = await verify({ secret: SECRET, headers, body: BODY });
    expect(event).toEqual({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', ...JSON.parse(BODY) });
  });
});
