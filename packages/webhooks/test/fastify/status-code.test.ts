import { describeStatusCodes } from '../../../toolkit/test/status-code-contract.ts';
import { ERROR_CODES, type WebhookErrorCode } from '../../src/error-codes.ts';
import { WebhookError } from '../../src/errors.ts';

describeStatusCodes(ERROR_CODES, (code) => new WebhookError(code as WebhookErrorCode, 'refused'));
