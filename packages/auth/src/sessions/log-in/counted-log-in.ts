import { requireUid } from '../../claims.ts';
import type { ClientAddress } from '../../client-address.ts';
import { requireLogin } from '../../text/login.ts';
import { countedName } from '../../throttle/counted-name.ts';
import type { CountedAgainst } from '../../throttle/throttle.ts';
import { BusyError } from '../../throttle/throttle-refusals.ts';
import type { SessionGrant } from '../session-grant.ts';
import type { VerifyingClient } from '../sessions-options.ts';
import type { LoginProtection } from './login-protection.ts';

/** What a log-in is counted by. */
export interface LogInOrigin {
  /** Every value in the credentials that may name the account. */
  readonly logins: readonly unknown[];
  /** Whether the host has said which one it is: the verifier's word changes nothing then. */
  readonly isNamed: boolean;
  readonly address: ClientAddress | undefined;
  readonly deviceCookies: readonly string[] | undefined;
}

/** A log-in that is counted, and may be verified. */
export interface CountedLogIn {
  /** For the verifier: counts the log-in against the account that it has found. */
  readonly mayTry: NonNullable<VerifyingClient['mayTry']>;
  end(against: CountedAgainst): Promise<void>;
  /** Adds the cookie of a known device, if the verifier has called `mayTry`. */
  remember(grant: SessionGrant): SessionGrant;
}

/**
 * Counts a log-in before anything is looked up: against its names, or against the known device that
 * it comes from, and against the address.
 *
 * A device is bound to a name and a uid. Two accounts may have names that count as one, so the uid
 * is compared as soon as the verifier has found the account: whoever has one of them gets no
 * guesses at the other.
 *
 * @throws AuthError `rate_limited`
 */
export async function countLogIn(
  { throttle, knownDevices }: LoginProtection,
  { logins, isNamed, address, deviceCookies = [] }: LogInOrigin,
): Promise<CountedLogIn> {
  const texts = logins.filter((login) => typeof login === 'string' && login !== '') as readonly string[];
  const names = [...new Set(texts.map(countedName))];
  // If a log-in names several accounts, only the verifier knows whose device it would be.
  const [name] = logins.length === 1 ? names : [];
  const device = name === undefined ? undefined : knownDevices?.recognise(name, deviceCookies);
  const admission = await throttle?.admit({ names, address, device: device?.id });
  const found = new Map<string, Promise<boolean>>();
  let isOver = false;

  async function countAccount(uid: string, login: string | undefined): Promise<boolean> {
    if (admission === undefined || device?.isOf(uid)) return true;
    if (isOver) return false;
    const lookedFor = isNamed || login === undefined ? undefined : countedName(login);
    const refusal = await admission.accountFound(uid, lookedFor);
    // The verifier may be so late that its log-in has been answered.
    if (isOver) await admission.end('nothing');
    if (refusal instanceof BusyError) throw refusal;
    return refusal === undefined;
  }

  return {
    async mayTry(uid, login) {
      requireUid(uid, 'The uid of an account');
      if (login !== undefined) requireLogin('mayTry', login);
      const isOpen = found.get(uid) ?? countAccount(uid, login);
      found.set(uid, isOpen);
      return await isOpen;
    },

    async end(against) {
      isOver = true;
      await admission?.end(against);
    },

    remember(grant) {
      if (knownDevices === undefined || name === undefined || !found.has(grant.uid)) return grant;
      return { ...grant, cookies: [...grant.cookies, knownDevices.remember(name, grant.uid, device)] };
    },
  };
}
