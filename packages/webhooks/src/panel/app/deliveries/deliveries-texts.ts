import { DELIVERIES_TEXTS } from '../../texts/deliveries-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const deliveriesTexts = hostTexts('deliveries', DELIVERIES_TEXTS);
