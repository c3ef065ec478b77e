import { LIST_TEXTS } from '../../texts/list-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const listTexts = hostTexts('list', LIST_TEXTS);
