import { isWebhookError } from '../../errors.ts';
import { headerReader } from '../../signing/callback-headers.ts';
import {
  SIGNATURE_SCHEMES,
  type SignatureClaims,
  type SignatureSchemeName,
} from '../../signing/signature-scheme.ts';
import { checkScheme, hasScheme, SCHEMES, type SignedRequest } from '../scheme-check.ts';
import { SECRET_FORM, type SecretSpelling } from '../secret-spelling.ts';
import { findMistake, fits, type SigningMistake, sentForm } from './signing-mistake.ts';

/** What is the matter with a header set. The codes are part of the output of `verify --json`. */
export type DiagnosisCode =
  | 'valid'
  | 'absent'
  | 'stale'
  | 'missing_header'
  | 'malformed_header'
  | 'altered_header'
  | 'relabelled'
  | 'malformed_secret'
  | 'not_an_event'
  | 'empty_body'
  | SigningMistake['code']
  | 'wrong_secret_or_value';

/** One header set, and why it verifies or does not. */
export interface Diagnosis {
  readonly scheme: SignatureSchemeName;
  readonly code: DiagnosisCode;
  /** Sentences for people. They never contain a secret. */
  readonly message: string;
}

/** A secret as somebody gave it, and where. */
export interface GivenSecret extends SecretSpelling {
  /** The number of its line, from 1 on. */
  readonly line: number;
}

/** What a request is diagnosed with. */
export interface DiagnosisInput {
  readonly request: SignedRequest;
  readonly secrets: readonly GivenSecret[];
  /** When the request came in, in milliseconds since 1970. */
  readonly receivedAtMs: number;
}

/** The headers that a set must have, and the form that each must have. */
const REQUIRED: Readonly<Record<SignatureSchemeName, Readonly<Record<string, string>>>> = {
  standard: {
    'webhook-id': 'letters, digits, _ and -',
    'webhook-timestamp': 'Unix seconds',
    'webhook-signature': 'v1, and the base64 of 32 bytes',
  },
  'x-webhook': {
    'X-Webhook-ID': 'letters, digits, _ and -',
    'X-Webhook-Timestamp': 'Unix seconds',
    'X-Webhook-Signature': '64 lower-case hexadecimal characters',
    'X-Webhook-Event': 'the name of an event',
  },
};

/** Diagnoses both header sets. */
export async function diagnose(input: DiagnosisInput): Promise<readonly Diagnosis[]> {
  if (!SCHEMES.some((scheme) => hasScheme(input.request, scheme))) {
    const message =
      'There is no webhook-* and no X-Webhook-* header. A proxy dropped them, or another sender sent this.';
    return [{ scheme: 'standard', code: 'missing_header', message }];
  }
  const diagnoses = await Promise.all(
    SCHEMES.map(async (scheme) => ({ scheme, ...(await diagnoseScheme(input, scheme)) })),
  );
  const isProved = diagnoses.some(({ code }) => code === 'valid' || code === 'stale');
  return diagnoses.map((diagnosis) => {
    if (!isProved || diagnosis.code !== 'wrong_secret_or_value') return diagnosis;
    const message = 'The other signature fits the same secret and body, so a header of this set was altered.';
    return { ...diagnosis, code: 'altered_header', message };
  });
}

/** Why a request is refused, in sentences. Empty if nothing is wrong. */
export async function explain(request: SignedRequest, secrets: readonly string[]): Promise<string> {
  const spellings = secrets.map((secret, index) => ({ secret, faults: [], line: index + 1 }));
  const diagnoses = await diagnose({ request, secrets: spellings, receivedAtMs: Date.now() });
  return [...new Set(diagnoses.map(({ message }) => message))].join(' ').trim();
}

type Finding = Omit<Diagnosis, 'scheme'>;

async function diagnoseScheme(input: DiagnosisInput, scheme: SignatureSchemeName): Promise<Finding> {
  const { receivedAtMs, request, secrets } = input;
  if (!hasScheme(request, scheme)) return { code: 'absent', message: '' };
  const claims = readClaims(request, scheme);
  if ('code' in claims) return claims;
  const usable = secrets.flatMap(({ secret, faults }) => (secret === undefined ? [] : { secret, faults }));
  if (usable.length === 0) return { code: 'malformed_secret', message: unreadableLines(secrets) };
  const { keyBytes } = SIGNATURE_SCHEMES[scheme];
  const areFit = await Promise.all(usable.map(({ secret }) => fits(claims, keyBytes(secret), request.body)));
  const fitting = usable.filter((_, index) => areFit[index]);
  const right = fitting.find(({ faults }) => faults.length === 0) ?? fitting[0];
  if (right === undefined) {
    const mistake = await findMistake(
      claims,
      scheme,
      request.body,
      usable.map(({ secret }) => secret),
    );
    return mistake ?? unexplained(request.body, secrets);
  }
  if (right.faults.length > 0) {
    const message = `The signature fits, but not the secret as it was given here: ${right.faults.join(', ')}.`;
    return { code: 'malformed_secret', message };
  }
  const { result } = await checkScheme(request, scheme, [right.secret], () => receivedAtMs);
  if (result === 'valid') return { code: 'valid', message: '' };
  if (result === 'signature_stale') return { code: 'stale', message: staleMessage(claims, receivedAtMs) };
  if (result === 'body_malformed') {
    const message = 'The signature fits, but the body is no event: {"type", "timestamp", "data"} in JSON.';
    return { code: 'not_an_event', message };
  }
  const message = 'The signature fits, but X-Webhook-Event is not the event in the body: it was altered.';
  return { code: 'relabelled', message };
}

/** Reads the headers as `verify` does. Names all missing ones, and the form of a malformed one. */
function readClaims({ headers }: SignedRequest, scheme: SignatureSchemeName): SignatureClaims | Finding {
  const missing = Object.keys(REQUIRED[scheme]).filter((name) => !headers[name.toLowerCase()]?.[0]);
  if (missing.length > 0) {
    const message = `Missing: ${missing.join(', ')}. A proxy or a framework dropped it.`;
    return { code: 'missing_header', message };
  }
  try {
    return SIGNATURE_SCHEMES[scheme].readClaims(headerReader(headers));
  } catch (error) {
    if (!isWebhookError(error)) throw error;
    const forms = Object.entries(REQUIRED[scheme]);
    const form = forms.find(([name]) => error.message.includes(`${name} `))?.[1];
    const message = form === undefined ? error.message : `${error.message} It must be one, with ${form}.`;
    return { code: 'malformed_header', message };
  }
}

function unexplained(body: Uint8Array, secrets: readonly GivenSecret[]): Finding {
  if (Buffer.from(body).toString('latin1').trim() === '') {
    const message = 'The body is empty: something read it before, such as a JSON parser.';
    return { code: 'empty_body', message };
  }
  const sentences = [
    'The secret is that of another webhook or from before a rotation, or the body, the id or the timestamp was altered.',
    sentForm(body)?.equals(body)
      ? 'The form of the body is that of this package, so no parser rewrote it.'
      : 'This package sends compact JSON with type, timestamp and data in this order, and the body is not that.',
    unreadableLines(secrets),
  ];
  return { code: 'wrong_secret_or_value', message: sentences.join(' ').trimEnd() };
}

/** Names the lines that are no secret, because the one that fits may be among them. */
function unreadableLines(secrets: readonly GivenSecret[]): string {
  const lines = secrets.flatMap(({ line, secret }) => (secret === undefined ? line : []));
  if (lines.length === 0) return '';
  const [subject, verb] = lines.length === 1 ? ['Line', 'is'] : ['Lines', 'are'];
  return `${subject} ${lines.join(', ')} of the secrets ${verb} not ${SECRET_FORM}.`;
}

function staleMessage({ timestamp }: SignatureClaims, receivedAtMs: number): string {
  const seconds = Math.floor(receivedAtMs / 1_000) - Number(timestamp);
  const distance = `${Math.abs(seconds)} s ${seconds > 0 ? 'before' : 'after'} the time of receipt`;
  return (
    `The signature fits, but webhook-timestamp is ${distance}; verify allows 300 s. ` +
    'If the request came in earlier than now, say when with --received-at. Otherwise, compare the clocks of sender and recipient.'
  );
}
