import { FIRST_VISIT_TEXTS } from '../../texts/first-visit-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const firstVisitTexts = hostTexts('firstVisit', FIRST_VISIT_TEXTS);
