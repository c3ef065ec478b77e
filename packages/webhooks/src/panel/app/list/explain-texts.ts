import { EXPLAIN_TEXTS } from '../../texts/explain-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const explainTexts = hostTexts('explain', EXPLAIN_TEXTS);
