import { UI_TEXTS } from '../../texts/ui-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const uiTexts = hostTexts('ui', UI_TEXTS);
