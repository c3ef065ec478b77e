import { requireUid } from '../../claims.ts';
import { requireObject } from '../../options/require-object.ts';
import { isPossibleLogin } from '../../text/login.ts';
import type { KnownDevices } from './known-devices.ts';

/** Whose device it is. */
export interface DeviceOwner {
  /** 1–128 characters. */
  readonly uid: string;
  /**
   * The version of the account's password now, as `findAccount` gives it. Default: `findAccount` is
   * asked.
   */
  readonly passwordVersion?: string | undefined;
  /**
   * The cookies that the browser presents. A device that they prove for the password of now keeps
   * its id, and its failures. Default: the device is a new one.
   */
  readonly deviceCookies?: readonly string[] | undefined;
}

/**
 * Returns the `Set-Cookie` value by which a browser is known for the account that a login names.
 *
 * @returns `undefined` without known devices, and if the account is not the user's
 * @throws TypeError when login, uid or version cannot be; any error of the host's `findAccount`
 */
export async function rememberDevice(
  devices: KnownDevices | undefined,
  login: string,
  owner: DeviceOwner,
): Promise<string | undefined> {
  requireObject('owner', owner);
  const { uid, passwordVersion, deviceCookies = [] } = owner;
  if (!isPossibleLogin(login) || login === '')
    throw new TypeError('rememberDevice needs a login of 1 to 256 characters');
  requireUid(uid);
  if (devices === undefined) return undefined;
  const account = passwordVersion === undefined ? await devices.findAccount(login) : { uid, passwordVersion };
  if (account?.uid !== uid) return undefined;
  return devices.remember(login, account, await devices.recognise(login, deviceCookies));
}
