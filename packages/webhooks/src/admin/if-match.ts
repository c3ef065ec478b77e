import type { WebhookPrecondition } from '../registry/webhook-input.ts';
import type { Webhooks } from '../webhooks.ts';
import { AdminProblem } from './admin-problem.ts';

/** What a request expects of a webhook: any state (`*`), or one that these strong entity tags name. */
export type IfMatch = '*' | readonly string[];

/** More than fifty entity tags fit. */
const MAX_IF_MATCH_LENGTH = 2_048;
/** A member of a list, which may be empty (RFC 9110 section 5.6.1): an entity tag (section 8.8.3), perhaps a weak one. */
const MEMBER = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(,|$)/y;

/** The strong entity tag (RFC 9110 section 8.8.3) of the state that a webhook has had since then. */
export function etagOf(updatedAt: string): string {
  return `"${updatedAt}"`;
}

/**
 * Reads `If-Match` (RFC 9110 section 13.1.1). Weak entity tags are left out: the comparison is a strong one, in which
 * they match nothing. Undefined where there is no such header.
 *
 * @throws AdminProblem `malformed_if_match`: ignoring it would overwrite what the client wants to protect
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
 * The state of the webhook in which a request may change it: the current one, where its `If-Match` names that.
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
