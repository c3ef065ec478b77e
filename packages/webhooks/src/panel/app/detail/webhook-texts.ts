import { WEBHOOK_DIALOG_TEXTS, WEBHOOK_TEXTS } from '../../texts/webhook-texts.ts';
import { hostTexts } from '../texts/host-texts.ts';

export const webhookDialogTexts = hostTexts('webhookDialog', WEBHOOK_DIALOG_TEXTS);
export const webhookTexts = hostTexts('webhook', WEBHOOK_TEXTS);
