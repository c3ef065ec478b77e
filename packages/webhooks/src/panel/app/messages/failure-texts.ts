import { FAILURE_ADVICE, FAILURE_TITLES } from '../../texts/failure-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const failureTitles = hostTexts('failureTitle', FAILURE_TITLES);
export const failureAdvice = hostTexts('failureAdvice', FAILURE_ADVICE);
