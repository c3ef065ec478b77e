import { DELIVERY_TEXTS, HISTORY_TEXTS } from '../../texts/delivery-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const historyTexts = hostTexts('history', HISTORY_TEXTS);
export const deliveryTexts = hostTexts('delivery', DELIVERY_TEXTS);
