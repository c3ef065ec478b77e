import { ANSWER_DETAILS } from '../../texts/answer-detail-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

const texts = hostTexts('failureDetail', ANSWER_DETAILS);

/** Says what exactly was wrong with an attempt. A detail of a later version is shown as it is. */
export function detailText(detail: string): string {
  return isKnown(detail) ? texts[detail] : detail;
}

function isKnown(detail: string): detail is keyof typeof texts {
  return Object.hasOwn(texts, detail);
}
