import { ANSWER_DETAILS } from '../../texts/answer-detail-texts.ts';
import { isKeyOf } from '../key-of.ts';
import { hostTexts } from '../texts/host-texts.ts';

const texts = hostTexts('failureDetail', ANSWER_DETAILS);

/** Says what exactly was wrong with an attempt. A detail of a later version is shown as it is. */
export function detailText(detail: string): string {
  return isKeyOf(texts, detail) ? texts[detail] : detail;
}
