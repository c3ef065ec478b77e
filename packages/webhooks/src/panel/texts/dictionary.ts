import { ANSWER_DETAILS } from './answer-detail-texts.ts';
import { CATALOG_TEXTS } from './catalog-texts.ts';
import { DELIVERIES_TEXTS } from './deliveries-texts.ts';
import { ACTIVITY_TEXTS, DELIVERY_TEXTS, HISTORY_TEXTS } from './delivery-texts.ts';
import { DOCUMENT_TEXTS } from './document-texts.ts';
import { EVENT_TEXTS } from './event-texts.ts';
import { EXPLAIN_TEXTS } from './explain-texts.ts';
import { FAILURE_ADVICE, FAILURE_TITLES } from './failure-texts.ts';
import { FIRST_VISIT_TEXTS } from './first-visit-texts.ts';
import { FORM_TEXTS } from './form-texts.ts';
import { LIST_TEXTS } from './list-texts.ts';
import { LOG_IN_TEXTS } from './log-in-texts.ts';
import { OVERVIEW_TEXTS } from './overview-texts.ts';
import type { PanelText, PluralText } from './panel-text.ts';
import { PROBLEM_TEXTS, REFUSAL_TEXTS } from './problem-texts.ts';
import { SELECTION_DIALOG_TEXTS } from './selection-dialog-texts.ts';
import { SELECTION_TEXTS } from './selection-texts.ts';
import { TROUBLE_TEXTS } from './trouble-texts.ts';
import { UI_TEXTS } from './ui-texts.ts';
import { WEBHOOK_DIALOG_TEXTS, WEBHOOK_TEXTS } from './webhook-texts.ts';

/**
 * The English dictionary: every text of the panel by room and key. A text of a new page goes into
 * the room of that page, which is a file beside this one.
 */
export const DICTIONARY = {
  document: DOCUMENT_TEXTS,
  problem: PROBLEM_TEXTS,
  refusal: REFUSAL_TEXTS,
  failureTitle: FAILURE_TITLES,
  failureAdvice: FAILURE_ADVICE,
  failureDetail: ANSWER_DETAILS,
  trouble: TROUBLE_TEXTS,
  ui: UI_TEXTS,
  logIn: LOG_IN_TEXTS,
  firstVisit: FIRST_VISIT_TEXTS,
  list: LIST_TEXTS,
  overview: OVERVIEW_TEXTS,
  selection: SELECTION_TEXTS,
  selectionDialog: SELECTION_DIALOG_TEXTS,
  explain: EXPLAIN_TEXTS,
  form: FORM_TEXTS,
  events: EVENT_TEXTS,
  catalog: CATALOG_TEXTS,
  webhook: WEBHOOK_TEXTS,
  webhookDialog: WEBHOOK_DIALOG_TEXTS,
  deliveries: DELIVERIES_TEXTS,
  history: HISTORY_TEXTS,
  activity: ACTIVITY_TEXTS,
  delivery: DELIVERY_TEXTS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, PanelText>>>>;

export type Dictionary = typeof DICTIONARY;

/**
 * Texts of one language, by room and key; those that are absent stay as built in, or English.
 * A text has the placeholders of the English one, such as `{count}`. One that is counted has a form
 * for each plural category of its language (`one`, `few`, …), with `other` for the rest, or one
 * form for all.
 */
export type PanelTexts = {
  readonly [Room in keyof Dictionary]?: {
    readonly [Key in keyof Dictionary[Room]]?: Dictionary[Room][Key] extends string
      ? string
      : string | PluralText;
  };
};
