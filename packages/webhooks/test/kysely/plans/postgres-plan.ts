import { CompiledQuery, type Kysely } from 'kysely';

/** A step of a plan, as `explain (analyze, buffers, format json)` tells of it. */
export interface PlanStep {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** Of one loop, on average. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  /** Of the step and those below it. */
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanStep[];
}

/** Runs the statement once more, and answers the steps that PostgreSQL took. */
export async function stepsOf<DB>(db: Kysely<DB>, statement: CompiledQuery): Promise<PlanStep[]> {
  const explain = `explain (analyze, buffers, format json) ${statement.sql}`;
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanStep }[] }>(
    CompiledQuery.raw(explain, [...statement.parameters]),
  );
  return rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => withSteps(Plan));
}

function withSteps(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(withSteps)];
}
