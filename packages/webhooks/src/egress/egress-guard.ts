import { WebhookError } from '../errors.ts';
import { createEgressOn } from './egress.ts';

/** RFC 6761 section 6.4: a name that no resolver may answer, should a runtime go past the guard after all. */
const PROBE_URL = 'http://egress-guard.invalid/';

const PROBE_TIMEOUT_MS = 2000;

/**
 * Checks that this runtime's HTTP client goes through the guarded connector; opens no socket.
 *
 * Some runtimes answer `import 'undici'` with a client of their own that ignores a custom connector. There,
 * every address check would be skipped in silence: better not to start.
 *
 * @param create makes the egress to be checked; another one only in tests.
 * @throws WebhookError `egress_guard_inactive` when the connector was not consulted.
 */
export async function assertEgressGuard(create: typeof createEgressOn = createEgressOn): Promise<void> {
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
  throw new WebhookError(
    'egress_guard_inactive',
    'The HTTP client of this runtime does not consult the address policy; deliveries would be unprotected.',
    { cause },
  );
}
