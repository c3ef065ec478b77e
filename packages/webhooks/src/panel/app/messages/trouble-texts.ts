import { TROUBLE_TEXTS } from '../../texts/trouble-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const troubleSentences = hostTexts('trouble', TROUBLE_TEXTS);
