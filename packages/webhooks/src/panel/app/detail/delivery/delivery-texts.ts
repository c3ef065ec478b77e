import { DELIVERY_TEXTS } from '../../../texts/delivery-texts.ts';
import { hostTexts } from '../../texts/host-texts.ts';

export const deliveryTexts = hostTexts('delivery', DELIVERY_TEXTS);
