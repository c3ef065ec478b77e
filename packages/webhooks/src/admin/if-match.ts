import type { WebhookPrecondition } from '../registry/webhook-input.ts';
import type { Webhooks } from '../webhooks.ts';
import { AdminProblem } from './admin-problem.ts';

/**
 * The state that a request expects of a webhook: any (`*`), or one that these strong entity tags
 * name.
 */
export type IfMatch = '*' | readonly string[];

/** Fits more than fifty entity tags. */
const MAX_IF_MATCH_LENGTH = 2_048;
/**
 * A list member, which may be empty (RFC 9110 section 5.6.1): a strong or weak entity tag (section
 * 8.8.3).
 */
const MEMBER = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(,|$)/y;

/**
 * The strong entity tag (RFC 9110 section 8.8.3) of the state that a webhook has had since
 * `updatedAt`. That time grows with every change, even if the clock stands still or goes back, and
 * so needs no version number beside it. A `PUT` answers with the tag although section 9.3.4 keeps
 * it for content saved as sent: here, a `PUT` names some fields, and its answer shows the whole
 * webhook.
 */
export function etagOf(updatedAt: string): string {
  return `"${updatedAt}"`;
}

/**
 * Reads `If-Match` (RFC 9110 section 13.1.1). Returns undefined if the header is absent. Weak
 * entity tags are dropped, because a strong comparison never matches them.
 *
 * @throws AdminProblem `malformed_if_match`: ignoring the header would overwrite the state that the
 *   client protects
 */
export function parseIfMatch(header: string | null): IfMatch | undefined {
  if (header === null) return undefined;
  if (header === '*') return '*';
  if (header.length > MAX_IF_MATCH_LENGTH) throw malformed();
  const tags: string[] = [];
  MEMBER.lastIndex = 0;
  for (;;) {
    const member = MEMBER.exec(header);
    if (member === null) throw malformed();
    const [, weak, tag, end] = member;
    if (tag !== undefined && weak === undefined) tags.push(tag);
    if (end === '') return tags;
  }
}

/**
 * The precondition for a change: the current state of the webhook, provided that `If-Match` names
 * it. It comes after everything else that refuses a request (section 13.2.1).
 *
 * @throws WebhookError `webhook_not_found`
 * @throws AdminProblem `precondition_failed`
 */
export async function preconditionOf(
  webhooks: Pick<Webhooks, 'get'>,
  id: number,
  ifMatch: IfMatch | undefined,
): Promise<WebhookPrecondition> {
  if (ifMatch === undefined || ifMatch === '*') return {};
  const { updatedAt } = await webhooks.get(id);
  assertMatch(ifMatch, updatedAt);
  return { expectedUpdatedAt: updatedAt };
}

/** @throws AdminProblem `precondition_failed` unless `If-Match` is absent or names the state */
export function assertMatch(ifMatch: IfMatch | undefined, updatedAt: string): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(updatedAt)) return;
  throw new AdminProblem('precondition_failed', { detail: 'The webhook has been changed meanwhile' });
}

function malformed(): AdminProblem {
  return new AdminProblem('malformed_if_match', {
    detail: 'If-Match must be *, or entity tags in quotation marks as ETag has them, separated by commas.',
  });
}
