import { ACTIVITY_TEXTS } from '../../../texts/delivery-texts.ts';
import { hostTexts } from '../../texts/host-texts.ts';

export const activityTexts = hostTexts('activity', ACTIVITY_TEXTS);
