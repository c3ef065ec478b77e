import type { DeliveryProblem } from '../api/records.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { overviewTexts } from './overview-texts.ts';

/** Why something does not reach a webhook. */
export function causeTitle({ error, is_active: isActive }: DeliveryProblem): string {
  if (error !== '') return failureMessage(error).title;
  return isActive ? overviewTexts.overdue : overviewTexts.deactivated;
}
