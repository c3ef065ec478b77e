import { HISTORY_TEXTS } from '../../../texts/delivery-texts.ts';
import { hostTexts } from '../../texts/host-texts.ts';

export const historyTexts = hostTexts('history', HISTORY_TEXTS);
