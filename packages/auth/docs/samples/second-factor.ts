import { passwordCredentials } from '@acme/auth';
import { verify } from 'otplib';

interface User {
  readonly uid: string;
  readonly passwordHash: string | null;
  /** The base32 secret of the authenticator app, or null without one. Encrypt it in your table. */
  readonly totpSecret: string | null;
  /** The time step of the last code that let the user in, or null before the first. */
  readonly totpStep: number | null;
}

/** Yours. */
export interface Users {
  findByLogin(login: string): Promise<User | undefined>;
  /**
   * Whether this call has moved the step forward:
   *
   * update users set totp_step = :step where uid = :uid and (totp_step is null or totp_step < :step)
   */
  useTotpStep(uid: string, step: number): Promise<boolean>;
}

const STEP_SECONDS = 30;

export const verifierFor = (users: Users) =>
  passwordCredentials<User>({
    findUser: (login) => users.findByLogin(login),
    iterations: 600_000,
    async secondFactor({ uid, totpSecret }, { code }) {
      if (totpSecret === null) return true; // this user has none
      if (code === undefined || code === '') return 'required';
      if (typeof code !== 'string' || !/^\d{6}$/.test(code)) return false;
      // One step to each side, for clocks that differ: a code works for 90 seconds at most.
      const result = await verify({ secret: totpSecret, token: code, epochTolerance: STEP_SECONDS });
      if (!result.valid || !('epoch' in result)) return false;
      // A code works once, also for two log-ins at the same moment.
      return await users.useTotpStep(uid, Math.floor(result.epoch / STEP_SECONDS));
    },
  });
