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
  throw refusedTenant('unknown_field', 'is not a field of this input');
}

/**
 * Refuses an input whose tenant was looked up and is not there: the host's own webhook would be
 * made, or everybody's listed, of what a customer asked for.
 *
 * @throws WebhookError `validation_failed`
 */
export function refuseLostTenant(input: object): void {
  if ('tenant' in input && input.tenant === undefined) {
    throw refusedTenant('required', 'is undefined: name a tenant, give null, or leave it out');
  }
}

function refusedTenant(code: 'unknown_field' | 'required', message: string): WebhookError {
  return new WebhookError('validation_failed', 'The input has fields that are not valid', {
    errors: [{ field: 'tenant', code, message }],
  });
}
