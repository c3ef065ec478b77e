import type { DemoUnderCheck } from './demo-under-check.ts';
import type { HttpClient } from './http-client.ts';
import type { Step } from './step.ts';

/** The objects that the steps of every chapter work with. */
export interface ChapterParts {
  readonly step: Step;
  readonly demo: DemoUnderCheck;
  /** Logged in as `admin` by the first chapter. */
  readonly admin: HttpClient;
  /** Logged in as `customer` by the first chapter. */
  readonly customer: HttpClient;
}
