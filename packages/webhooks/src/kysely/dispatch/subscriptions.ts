import { type RawBuilder, sql } from 'kysely';
import { HOST_ONLY, type SubscriberTarget } from '../../storage/subscriber-target.ts';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { DispatchWithId } from './keyed-dispatch.ts';

/** The most ids that one statement looks up. */
const MAX_IDS = 1_000;
/** The most patterns: SQLite nests conditions, one per tenant, at most a thousand deep. */
const MAX_PATTERNS = 500;

/** What a webhook is found by: the key of the patterns begins with both. */
export interface PatternRow {
  readonly tenant: string;
  readonly pattern: string;
}

export function patternRowsOf({ patterns, tenants = HOST_ONLY }: SubscriberTarget): PatternRow[] {
  return tenants.flatMap((tenant) => patterns.map((pattern) => ({ tenant, pattern })));
}

/** The same text for the same target: neither a tenant nor a pattern has a line break. */
export function targetNameOf(rows: readonly PatternRow[]): string {
  return rows.map(({ tenant, pattern }) => `${tenant}\n${pattern}`).join('\n');
}

/**
 * Whether the row `found` of the patterns belongs to an active webhook. The webhook's own tenant
 * counts, too: a row that another program wrote for the wrong tenant reaches nobody.
 */
export const FOUND_IS_ACTIVE: RawBuilder<boolean> = sql`(select webhook.is_active from ${nameInSql('webhooks')} as webhook
    where webhook.id = found.webhook_id and webhook.tenant = found.tenant) = 1`;

/** Finds the active webhooks of each dispatch, in ascending order of id. Locks none. */
export async function findSubscribers(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<readonly (readonly number[])[]> {
  const targets = dispatches.map(({ target }) => target);
  const byTarget = new Map<string, readonly PatternRow[]>();
  const named = targets.map((target) => {
    if ('webhookId' in target) return target;
    const rows = patternRowsOf(target);
    // Most dispatches of a group are of few events and tenants, each with the same subscribers.
    const name = targetNameOf(rows);
    byTarget.set(name, rows);
    return { name };
  });
  const found = await webhooksByTarget(tables, byTarget);
  const ids = new Set(named.flatMap((target) => ('webhookId' in target ? [target.webhookId] : [])));
  const active = await activeAmong(tables, [...ids]);
  return named.map((target) => {
    if ('name' in target) return found.get(target.name) ?? [];
    return active.has(target.webhookId) ? [target.webhookId] : [];
  });
}

async function webhooksByTarget(
  tables: Tables,
  targets: ReadonlyMap<string, readonly PatternRow[]>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const byName = new Map([...targets.values()].flat().map((row) => [targetNameOf([row]), row]));
  const webhooks = await webhooksByPattern(tables, [...byName.values()]);
  const idsOf = (rows: readonly PatternRow[]) => {
    const ids = new Set(rows.flatMap((row) => webhooks.get(targetNameOf([row])) ?? []));
    return [...ids].sort((a, b) => a - b);
  };
  return new Map([...targets].map(([name, rows]) => [name, idsOf(rows)]));
}

/** The active webhooks that have each pattern. */
async function webhooksByPattern(
  tables: Tables,
  wanted: readonly PatternRow[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = new Map<string, number[]>();
  for (let start = 0; start < wanted.length; start += MAX_PATTERNS) {
    const rows = await tables
      .selectFrom('webhook_patterns as found')
      .select(['found.tenant', 'found.pattern', 'found.webhook_id'])
      .where(arePatterns(wanted.slice(start, start + MAX_PATTERNS)))
      // One by one: joined, some databases read all webhooks.
      .where(FOUND_IS_ACTIVE)
      .execute();
    for (const { webhook_id, ...row } of rows) {
      const name = targetNameOf([row]);
      const ids = found.get(name);
      if (ids === undefined) found.set(name, [Number(webhook_id)]);
      else ids.push(Number(webhook_id));
    }
  }
  return found;
}

/** A condition for each tenant, as a range of the key. */
function arePatterns(rows: readonly PatternRow[]): RawBuilder<boolean> {
  const byTenant = new Map<string, string[]>();
  for (const { tenant, pattern } of rows) {
    const patterns = byTenant.get(tenant);
    if (patterns === undefined) byTenant.set(tenant, [pattern]);
    else patterns.push(pattern);
  }
  const conditions = [...byTenant].map(
    ([tenant, patterns]) => sql`(tenant = ${tenant} and pattern in (${sql.join(patterns)}))`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

async function activeAmong(tables: Tables, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const active = new Set<number>();
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const rows = await tables
      .selectFrom('webhooks')
      .select('id')
      .where('id', 'in', ids.slice(start, start + MAX_IDS))
      .where('is_active', '=', 1)
      .execute();
    for (const { id } of rows) active.add(Number(id));
  }
  return active;
}
