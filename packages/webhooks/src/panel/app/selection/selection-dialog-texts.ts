import { SELECTION_DIALOG_TEXTS } from '../../texts/selection-dialog-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const selectionDialogTexts = hostTexts('selectionDialog', SELECTION_DIALOG_TEXTS);
