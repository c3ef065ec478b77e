import { headerReader } from '../../signing/callback-headers.ts';
import { SIGNATURE_SCHEMES, type SignatureSchemeName } from '../../signing/signature-scheme.ts';
import { checkScheme, hasScheme, SCHEMES, type SignedRequest } from '../scheme-check.ts';
import { SECRET_FORM, type SecretSpelling } from '../secret-spelling.ts';
import { sentForms } from '../sent-forms.ts';
import { findMistake } from './signing-mistake.ts';

/** One header set, and why it verifies or does not. */
export interface Diagnosis {
  readonly scheme: SignatureSchemeName;
  /** What is the matter: `valid`, `absent`, or another code of the guide to the command line. */
  readonly code: string;
  /** Sentences for people. They never contain a secret. */
  readonly message: string;
}

/** The form that a header must have. */
const FORMS: readonly (readonly [header: RegExp, form: string])[] = [
  [/-id /i, 'letters, digits, _ and -'],
  [/-timestamp /i, 'Unix seconds'],
  [/webhook-signature /, 'v1, and the base64 of 32 bytes'],
  [/X-Webhook-Signature/, '64 lower-case hexadecimal characters'],
  [/X-Webhook-Event /, 'the name of an event'],
];

/** Diagnoses both header sets of a request that came in at a time, in milliseconds since 1970. */
export async function diagnose(
  request: SignedRequest,
  secrets: readonly SecretSpelling[],
  receivedAtMs: number,
): Promise<readonly Diagnosis[]> {
  if (!SCHEMES.some((scheme) => hasScheme(request, scheme))) {
    const message =
      'There is no webhook-* and no X-Webhook-* header. A proxy dropped them, or the sender is another.';
    return [{ scheme: 'standard', code: 'missing_header', message }];
  }
  const diagnoses = await Promise.all(
    SCHEMES.map(async (scheme) => ({
      scheme,
      ...(await diagnoseScheme(request, scheme, secrets, receivedAtMs)),
    })),
  );
  const isProved = diagnoses.some(({ code }) => code === 'valid' || code === 'stale');
  return diagnoses.map((diagnosis) => {
    if (!isProved || diagnosis.code !== 'wrong_secret_or_value') return diagnosis;
    const message = 'The other signature fits the same secret and body, so a header of this set was altered.';
    return { ...diagnosis, code: 'altered_header', message };
  });
}

/** Says in sentences why a request is refused. Empty if nothing is wrong. */
export async function explain(request: SignedRequest, secrets: readonly string[]): Promise<string> {
  const spellings = secrets.map((secret) => ({ secret, faults: [] }));
  const diagnoses = await diagnose(request, spellings, Date.now());
  return [...new Set(diagnoses.map(({ message }) => message))].join(' ').trim();
}

async function diagnoseScheme(
  request: SignedRequest,
  scheme: SignatureSchemeName,
  secrets: readonly SecretSpelling[],
  receivedAtMs: number,
): Promise<Omit<Diagnosis, 'scheme'>> {
  if (!hasScheme(request, scheme)) return { code: 'absent', message: '' };
  const usable = secrets.flatMap(({ secret, faults }) => (secret === undefined ? [] : { secret, faults }));
  if (usable.length === 0) return { code: 'malformed_secret', message: unreadable(secrets) };
  const checks = await Promise.all(
    usable.map(async ({ secret, faults }) => ({
      ...(await checkScheme(request, scheme, [secret], () => receivedAtMs)),
      faults,
    })),
  );
  const fitting = checks.filter(({ result, reason }) => result !== 'signature_mismatch' || isOfEvent(reason));
  const right = fitting.find(({ faults }) => faults.length === 0) ?? fitting[0];
  if (right === undefined) {
    const claims = SIGNATURE_SCHEMES[scheme].readClaims(headerReader(request.headers));
    const mistake = await findMistake(claims, scheme, request.body, usable);
    return mistake ?? unexplained(request.body, secrets);
  }
  const { faults, reason, result } = right;
  if (result === 'signature_missing') {
    return { code: 'missing_header', message: `${reason} A proxy or a framework dropped it.` };
  }
  if (result === 'signature_malformed') {
    const form = FORMS.find(([header]) => header.test(reason))?.[1];
    return { code: 'malformed_header', message: `${reason} It must be one, with ${form}.` };
  }
  if (faults.length > 0) {
    const message = `The signature fits, but not the secret as it was given here: ${faults.join(', ')}.`;
    return { code: 'malformed_secret', message };
  }
  if (result === 'valid') return { code: 'valid', message: '' };
  if (result === 'signature_stale') {
    const sent = new Date(Number(request.headers['webhook-timestamp']) * 1_000).toISOString();
    const message = `The signature fits. ${reason} It is ${sent}. Say with --received-at when the request came in, or compare the clocks.`;
    return { code: 'stale', message };
  }
  const code = isOfEvent(reason) ? 'relabelled' : 'not_an_event';
  return { code, message: `The signature fits. ${reason}` };
}

/** The signature fits the body, and the header that is not signed does not. */
function isOfEvent(reason: string): boolean {
  return reason.includes('X-Webhook-Event differs');
}

function unexplained(body: Uint8Array, secrets: readonly SecretSpelling[]): Omit<Diagnosis, 'scheme'> {
  if (Buffer.from(body).toString('latin1').trim() === '') {
    const message = 'The body is empty: something read it before, such as a JSON parser.';
    return { code: 'empty_body', message };
  }
  const sentences = [
    'The secret is that of another webhook or from before a rotation, or the body, the id or the timestamp was altered.',
    sentForms(body).some((form) => form.equals(body))
      ? 'The form of the body is that of this package, so no parser rewrote it.'
      : 'This package sends compact JSON with type, timestamp and data in this order, and the body is not that.',
    unreadable(secrets),
  ];
  return { code: 'wrong_secret_or_value', message: sentences.join(' ').trimEnd() };
}

/** Names the texts that are no secret, because the one that fits may be among them. */
function unreadable(secrets: readonly SecretSpelling[]): string {
  const places = secrets.flatMap(({ secret }, index) => (secret === undefined ? index + 1 : []));
  return places.length === 0 ? '' : `Of the secrets, number ${places.join(', ')} is not ${SECRET_FORM}.`;
}
