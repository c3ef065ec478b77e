import { isPossibleLogin } from '../../text/login.ts';
import type { FindDevice } from '../../throttle/throttle.ts';
import type { SessionGrant } from '../session-grant.ts';
import type { KnownDevices } from './known-devices.ts';
import type { VerifiedUser } from './known-devices-options.ts';

/** The device of one log-in. */
export interface DeviceLogIn {
  /** Returns the id of the device, if it is known for the account. */
  readonly find: FindDevice;
  /** Adds the cookie by which the device is known from now on. */
  remember(grant: SessionGrant, user: VerifiedUser): SessionGrant;
}

/**
 * Follows the device of a log-in, so that one that was recognised keeps its id, and with it its
 * failures.
 *
 * A log-in that names several accounts, or none, has no device: only the verifier knows whose it
 * would be.
 */
export function createDeviceLogIn(
  devices: KnownDevices | undefined,
  logins: readonly unknown[],
  cookies: readonly string[] = [],
): DeviceLogIn | undefined {
  const [login] = logins;
  if (devices === undefined || logins.length !== 1 || !isPossibleLogin(login)) return undefined;
  let id: string | undefined;
  return {
    async find(refuseLocked) {
      id = await devices.recognise(login, cookies, refuseLocked);
      return id;
    },
    remember(grant, user) {
      const cookie = devices.remember(login, user, id);
      return cookie === undefined ? grant : { ...grant, cookies: [...grant.cookies, cookie] };
    },
  };
}
