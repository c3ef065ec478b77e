import { tenantField } from '../events/tenant.ts';
import type { AnswerTimes, DeliveryProblem, Overview } from '../registry/overview/overview-records.ts';

/** The overview in the wire's spelling. */
export function overviewJson({ delivered, answers, dayBefore, waiting, backlogs, ...rest }: Overview) {
  return {
    delivered: { success: delivered.success, failed: delivered.failed, rate: delivered.rate },
    answers: answerTimesJson(answers),
    day_before: { rate: dayBefore.rate, p95_ms: dayBefore.p95Ms },
    waiting: { count: waiting.count, recent: waiting.recent, oldest_at: waiting.oldestAt },
    backlogs: { largest: backlogs.largest.map((one) => ({ ...one })), others: backlogs.others },
    problems: rest.problems.map(problemJson),
    has_more_problems: rest.hasMoreProblems,
  };
}

export function answerTimesJson({ attempts, since, medianMs, p95Ms }: AnswerTimes) {
  return { attempts, since, median_ms: medianMs, p95_ms: p95Ms };
}

function problemJson(problem: DeliveryProblem) {
  const { changed } = problem;
  return {
    webhook_id: problem.webhookId,
    ...tenantField(problem.tenant),
    url: problem.url,
    name: problem.name,
    level: problem.level,
    is_active: problem.isActive,
    inactive_reason: problem.inactiveReason,
    error: problem.error,
    since: problem.since,
    failed: problem.failed,
    waiting: problem.waiting,
    is_whole: problem.isWhole,
    delivery_id: problem.deliveryId,
    status_code: problem.statusCode,
    response_body: problem.responseBody,
    changed: changed && { what: changed.what, at: changed.at },
  };
}
