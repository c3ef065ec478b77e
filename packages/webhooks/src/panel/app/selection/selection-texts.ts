import { SELECTION_TEXTS } from '../../texts/selection-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const selectionTexts = hostTexts('selection', SELECTION_TEXTS);
