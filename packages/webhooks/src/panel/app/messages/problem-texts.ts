import { PROBLEM_TEXTS, REFUSAL_TEXTS } from '../../texts/problem-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const problemTexts = hostTexts('problem', PROBLEM_TEXTS);
export const refusalTexts = hostTexts('refusal', REFUSAL_TEXTS);
