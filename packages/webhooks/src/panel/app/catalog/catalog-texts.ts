import { CATALOG_TEXTS } from '../../texts/catalog-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const catalogTexts = hostTexts('catalog', CATALOG_TEXTS);
