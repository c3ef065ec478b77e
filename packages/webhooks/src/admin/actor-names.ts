import { isBlank } from '../../../toolkit/src/blank-text.ts';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import type { Logger } from '../logging/logger.ts';
import { describeError } from '../logging/redacted-error.ts';

/** How long an answer waits for names: a page without names is better than a late page. */
export const ACTOR_NAMES_TIMEOUT_MS = 1_000;

/** In UTF-16 code units. */
const MAX_NAME_LENGTH = 100;

/**
 * Returns the names of administrators by their uid, for people to read. The API calls it once per
 * answer, with the distinct uids of that answer: at most 100.
 *
 * A name is 1–100 characters, one of them visible, without control characters, line separators or
 * bidirectional controls. Any other name, a missing one, an error, and an answer that takes longer
 * than 1 s leave the uid without a name; nothing else fails. Errors and late answers are logged.
 */
export type DescribeActors = (
  uids: readonly string[],
) => ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;

/** What has been done by somebody, or by nobody who is known. */
interface Authored {
  /** Of a customer's webhook it is a user of the customer, who has a number of another kind. */
  readonly tenant: string;
  readonly createdByUid: string | null;
}

/** The name of the administrator who created it; null if nobody knows one. */
export type NameOf = (authored: Authored) => string | null;

/** Reads the names of those who created some webhooks. Never rejects. */
export type ActorNames = (authored: readonly Authored[]) => Promise<NameOf>;

/** @internal Asks the host for names, within bounds. */
export function createActorNames(deps: {
  readonly describeActors: DescribeActors | undefined;
  readonly logger: Logger;
}): ActorNames {
  const { describeActors, logger } = deps;
  const refuseLateAnswer = () => {
    throw new Error(`describeActors has not answered within ${ACTOR_NAMES_TIMEOUT_MS} ms`);
  };
  return async (authored) => {
    const uids = [...new Set(authored.flatMap((one) => administratorOf(one) ?? []))];
    if (describeActors === undefined || uids.length === 0) return () => null;
    try {
      const names = await withDeadline(describeActors(uids), ACTOR_NAMES_TIMEOUT_MS, refuseLateAnswer);
      // Read here, inside the guard: the answer may be of any shape.
      const known = new Map(uids.map((uid) => [uid, nameOf(names.get(uid))]));
      return (one) => known.get(administratorOf(one) ?? '') ?? null;
    } catch (error) {
      logger.error({ error: describeError(error), hook: 'describeActors' }, 'a webhook hook failed');
      return () => null;
    }
  };
}

function administratorOf({ tenant, createdByUid }: Authored): string | null {
  return tenant === '' ? createdByUid : null;
}

function nameOf(name: unknown): string | null {
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || isBlank(name)) return null;
  return isPlainLine(name) ? name : null;
}
