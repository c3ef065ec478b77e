import { WebhookError } from '../errors.ts';
import { createEgressWith } from './egress.ts';

/**
 * A name that no resolver may answer (RFC 6761 section 6.4), in case a runtime bypasses the guard.
 */
const PROBE_URL = 'http://egress-guard.invalid/';

const PROBE_TIMEOUT_MS = 2000;

/**
 * Checks that this runtime's HTTP client uses the guarded connector. Opens no socket.
 *
 * Some runtimes replace undici by a client of their own that ignores a custom connector. Such a
 * client would silently skip every address check, so the engine must not start.
 *
 * @param create creates the egress to check. Only tests pass another one.
 * @throws WebhookError `egress_guard_inactive` if the client did not call the connector.
 */
export async function assertEgressGuard(create: typeof createEgressWith = createEgressWith): Promise<void> {
  let consulted = false;
  const resolve = async (): Promise<never[]> => {
    consulted = true;
    return [];
  };
  const openSocket = (): never => {
    throw new Error('The probe of the egress guard must not connect');
  };
  let outcome: string;
  let cause: unknown;
  try {
    const egress = create({ openSocket }, { resolve, timeoutMs: PROBE_TIMEOUT_MS });
    const result = await egress.send({ url: PROBE_URL, headers: {}, body: '' });
    outcome = result.kind === 'failure' ? result.code : 'response';
    await egress.close();
  } catch (error) {
    outcome = 'error';
    cause = error;
  }
  if (consulted && outcome === 'dns_error') return;
  const reason =
    cause === undefined
      ? 'The HTTP client of this runtime does not consult the address policy; deliveries would be unprotected.'
      : 'The HTTP client could not be used: the cause says why. A bundler may have changed it; leave undici out of the bundle.';
  throw new WebhookError('egress_guard_inactive', reason, { cause });
}
