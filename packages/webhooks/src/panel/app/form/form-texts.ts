import { FORM_TEXTS } from '../../texts/form-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const formTexts = hostTexts('form', FORM_TEXTS);
