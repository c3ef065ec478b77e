import { z } from 'zod';
import { HEALTH_LEVELS } from '../../storage/failure-run.ts';
import { documented } from '../open-api/documentation.ts';
import { overviewExample } from '../open-api/examples.ts';
import { count, deliveryId, id, tenant, timestamp, webhookUrl } from './answer-fields.ts';

/** The schema of the overview, in wire spelling. */

const time = (description: string) => documented(timestamp.nullable(), { description });
const rate = (description: string) => documented(z.number().min(0).max(1).nullable(), { description });
const milliseconds = (description: string) => documented(z.number().min(0).nullable(), { description });

export const answers = documented(
  z.strictObject({
    attempts: documented(count.max(200), { description: 'How many attempts the times are of.' }),
    since: time('When the first of them began; null if there are none.'),
    median_ms: milliseconds('Half of them took at most so long.'),
    p95_ms: milliseconds('95 % of them took at most so long.'),
  }),
  {
    id: 'AnswerTimes',
    description:
      'How long recipients took in the newest attempts, at most 200, that were answered or timed out, for the newest deliveries that have ended, at most 100 of either outcome.',
  },
);

const changed = documented(
  z
    .strictObject({
      what: z.enum(['created', 'edited', 'rotated', 'secret_ended']),
      at: timestamp,
    })
    .nullable(),
  {
    description:
      'What may have brought it about: the last change of the webhook that is known, from a day before its first delivery was created until that had ended. `secret_ended`: the secret before the last rotation was used no more. Null if there was none.',
  },
);

const problem = documented(
  z.strictObject({
    webhook_id: id,
    tenant,
    url: webhookUrl,
    name: z.string(),
    level: z.enum(HEALTH_LEVELS),
    is_active: z.boolean(),
    inactive_reason: documented(z.enum(['', 'gone', 'failing']), {
      description: 'Why the webhook was deactivated automatically.',
    }),
    error: documented(z.string(), {
      description:
        'What the last attempts failed with. A webhook that was deactivated automatically has one problem, that of its newest failure; empty if none is retained. Empty for an active webhook: deliveries that have been due for more than five minutes, and for which no error is told.',
      examples: ['timeout', 'http_500'],
    }),
    since: documented(timestamp, {
      description:
        'When the oldest of these deliveries was created, or the first that is late was due, or the webhook was deactivated. If there are more than are counted, a time before which none of them was created.',
    }),
    failed: documented(count, { description: 'Deliveries that ended so.' }),
    waiting: documented(count, {
      description: 'Deliveries whose last attempt failed so, which are retried; or that are late.',
    }),
    is_whole: documented(z.boolean(), {
      description:
        'False if there are more: of each kind the newest 100 of the webhook are counted, and 10,000 of those that are late.',
    }),
    delivery_id: documented(deliveryId.nullable(), {
      description: 'The newest of them; null if none is retained.',
    }),
    status_code: documented(count, {
      description: 'The status of the recipient’s answer to that one; 0 without an answer.',
    }),
    response_body: documented(z.string(), {
      description: 'What the recipient answered to it, at most 4,096 bytes.',
    }),
    changed,
  }),
  { id: 'DeliveryProblem', description: 'What does not reach one webhook for one reason.' },
);

const backlog = documented(
  z.strictObject({
    tenant,
    pending: documented(count, { description: '100,001 stands for any larger number.' }),
  }),
  { id: 'Backlog', description: 'How many deliveries are pending.' },
);

const others = documented(count, {
  audience: 'administrators',
  description: 'At least so many other tenants have a backlog.',
});

export const overview = documented(
  z.strictObject({
    delivered: documented(
      z.strictObject({
        success: count,
        failed: count,
        rate: rate('`success` of both, from 0 to 1; null if none has ended.'),
      }),
      {
        description:
          'Deliveries created in the last 24 hours, the hour in which those began included, that have ended.',
      },
    ),
    answers,
    day_before: documented(
      z.strictObject({
        rate: rate('The share of successes, from 0 to 1; null if none has ended.'),
        p95_ms: milliseconds('As in `answers`.'),
      }),
      {
        description: 'Of deliveries created in the 24 hours before those of `delivered`. Read once an hour.',
      },
    ),
    waiting: documented(
      z.strictObject({
        count: documented(count, {
          description: 'Deliveries that are pending; 100,001 stands for any larger number.',
        }),
        recent: documented(count, {
          description: 'How many of them were created in the hours of `delivered`, counted up to 100,000.',
        }),
        oldest_at: time(
          'When the oldest of them was created; null if none waits. Of more than 100,000, it may be any.',
        ),
      }),
      { description: 'What is on its way, or waits for a retry.' },
    ),
    backlogs: documented(z.strictObject({ largest: z.array(backlog).max(10), others }), {
      description: 'Where more deliveries are pending than usual, the most first. Counted every ten minutes.',
    }),
    problems: documented(z.array(problem).max(20), {
      description: 'What is wrong, by webhook and cause, the worst first.',
    }),
    has_more_problems: z.boolean(),
  }),
  {
    id: 'Overview',
    examples: [overviewExample],
    description: 'How deliveries fare, and what is wrong.',
  },
);
