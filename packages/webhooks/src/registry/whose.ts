import { WebhookError } from '../errors.ts';

/**
 * The tenant that an input is about, '' for the host, undefined for everybody. The administration
 * of one tenant is about that one, and its input has no such field.
 *
 * @throws WebhookError `validation_failed`
 */
export function whoseOf(scope: string | undefined, given: string | null | undefined): string | undefined {
  if (scope === undefined) return given === null ? '' : given;
  if (given === undefined) return scope;
  throw new WebhookError('validation_failed', 'The input has fields that are not valid', {
    errors: [{ field: 'tenant', code: 'unknown_field', message: 'is not a field of this input' }],
  });
}
