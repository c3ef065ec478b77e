import { EVENT_TEXTS } from '../../texts/event-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const eventTexts = hostTexts('events', EVENT_TEXTS);
