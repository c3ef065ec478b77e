import { OVERVIEW_TEXTS } from '../../texts/overview-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const overviewTexts = hostTexts('overview', OVERVIEW_TEXTS);
