/** The maximum number of entries in `allowedPorts`. */
export const MAX_ALLOWED_PORTS = 64;

const MAX_PORT = 65_535;

/** The ports of HTTP and HTTPS. */
const WEB_PORTS = [80, 443];

/**
 * Ports up to this one belong to well-known services (RFC 6335 section 6), most of which do not
 * speak HTTP.
 */
const LAST_SYSTEM_PORT = 1023;

/** Tells whether deliveries may go to a port. */
export type PortPolicy = (port: number) => boolean;

/**
 * Creates the policy for ports: 80, 443, those above 1023, and `allowedPorts`.
 *
 * @param allowedPorts at most 64 integers from 1 to 65,535. The list only allows ports; it blocks
 *   none.
 * @param name the name of the option in the message of a TypeError.
 * @throws TypeError if the list is too long, or if an entry is not such an integer.
 */
export function createPortPolicy(allowedPorts: readonly number[] = [], name = 'allowedPorts'): PortPolicy {
  if (!Array.isArray(allowedPorts)) throw new TypeError(`${name} must be an array of ports`);
  if (allowedPorts.length > MAX_ALLOWED_PORTS) {
    throw new TypeError(`${name} has ${allowedPorts.length} entries; at most ${MAX_ALLOWED_PORTS}`);
  }
  allowedPorts.forEach((port: unknown, index) => {
    if (typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= MAX_PORT) return;
    throw new TypeError(
      `${name}[${index}] must be an integer from 1 to ${MAX_PORT}, not ${JSON.stringify(port)}`,
    );
  });
  const open = new Set([...WEB_PORTS, ...allowedPorts]);
  return (port) => port > LAST_SYSTEM_PORT || open.has(port);
}
