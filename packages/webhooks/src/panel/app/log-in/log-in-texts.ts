import { LOG_IN_TEXTS } from '../../texts/log-in-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const logInTexts = hostTexts('logIn', LOG_IN_TEXTS);
