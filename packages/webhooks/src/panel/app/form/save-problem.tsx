import { isAnswerLost } from '../api/api-error.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { FORM_FIELD_NAMES } from './form-fields.ts';
import { formTexts } from './form-texts.ts';

interface SaveProblemProps {
  readonly error: unknown;
  /** Advice for a lost answer, if sending again is wrong. */
  readonly lostAnswerAdvice?: string | undefined;
}

/** Why a webhook was not saved, unless a field says it. */
export function SaveProblem({ error, lostAnswerAdvice = '' }: SaveProblemProps) {
  if (FORM_FIELD_NAMES.some((field) => fieldMessage(error, field) !== null)) return null;
  return (
    <ProblemAlert
      title={formTexts.notSaved}
      lostTitle={formTexts.maybeSaved}
      error={error}
      advice={isAnswerLost(error) ? lostAnswerAdvice : ''}
    />
  );
}
