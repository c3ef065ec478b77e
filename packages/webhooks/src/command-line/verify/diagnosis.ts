import type { SignatureSchemeName } from '../../signing/signature-scheme.ts';
import { checkScheme, hasScheme, SCHEME_TITLES, SCHEMES, type SignedRequest } from '../scheme-check.ts';
import { SECRET_FORM, type SecretSpelling } from '../secret-spelling.ts';
import { type HeaderFault, headerFault } from './header-faults.ts';
import { otherScheme, withoutSvixNames } from './other-scheme.ts';
import { type FoundMistake, findMistake, isSigned } from './signing-mistakes.ts';
import { judgeUntouched, type UntouchedCode } from './untouched.ts';

/** What is the matter with a header set. The codes are part of the output of `verify --json`. */
export type DiagnosisCode =
  | 'valid'
  | 'absent'
  | 'stale'
  | 'malformed_secret'
  | 'altered_header'
  | 'relabelled'
  | 'not_an_event'
  | 'other_scheme'
  | HeaderFault['code']
  | FoundMistake['code']
  | UntouchedCode;

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

/** Diagnoses both header sets. If neither is there, the answer is one: another scheme. */
export async function diagnose(input: DiagnosisInput): Promise<readonly Diagnosis[]> {
  const { request } = input;
  if (!SCHEMES.some((scheme) => hasScheme(request, scheme))) return [await diagnoseOther(input)];
  const diagnoses = await Promise.all(SCHEMES.map((scheme) => diagnoseScheme(input, scheme)));
  const isProved = diagnoses.some(({ code }) => code === 'valid' || code === 'stale');
  return diagnoses.map((diagnosis) => {
    if (!isProved || !['wrong_secret_or_value', 'unexplained'].includes(diagnosis.code)) return diagnosis;
    const message = `The other signature fits the same secret and body, so a header of this set was altered.`;
    return { ...diagnosis, code: 'altered_header', message };
  });
}

/** Why a request is refused, in sentences. Empty if nothing is wrong. */
export async function explain(request: SignedRequest, secrets: readonly string[]): Promise<string> {
  const spellings = secrets.map((secret, index) => ({ secret, faults: [], line: index + 1 }));
  const diagnoses = await diagnose({ request, secrets: spellings, receivedAtMs: Date.now() });
  const wrong = diagnoses.filter(({ code }) => code !== 'valid' && code !== 'absent');
  return [...new Set(wrong.map(({ message }) => message))].join(' ');
}

async function diagnoseOther(input: DiagnosisInput): Promise<Diagnosis> {
  const renamed = withoutSvixNames(input.request);
  const found = { scheme: 'standard', code: 'other_scheme' } as const;
  if (renamed === undefined) return { ...found, message: otherScheme(input.request) };
  const { code, message } = await diagnoseScheme({ ...input, request: renamed }, 'standard');
  const rest = code === 'valid' ? 'Under those of Standard Webhooks, it is valid.' : message;
  return { ...found, message: `The headers have the names of Svix, svix-* for webhook-*. ${rest}` };
}

async function diagnoseScheme(input: DiagnosisInput, scheme: SignatureSchemeName): Promise<Diagnosis> {
  const { receivedAtMs, request } = input;
  const told = (code: DiagnosisCode, message: string): Diagnosis => ({ scheme, code, message });
  if (!hasScheme(request, scheme)) return told('absent', '');
  const fault = headerFault(request, scheme);
  if (fault !== undefined) return told(fault.code, fault.message);
  const usable = input.secrets.flatMap(({ secret }) => secret ?? []);
  if (usable.length === 0) {
    const [only, ...others] = input.secrets;
    if (others.length > 0) return told('malformed_secret', unreadableLines(input.secrets));
    return told('malformed_secret', `No signature can be checked with the secret: ${only?.faults[0]}.`);
  }
  const { result, reason } = await checkScheme(request, scheme, usable, () => receivedAtMs);
  if (result === 'valid' || result === 'signature_stale') {
    const misspelt = await misspeltSecret(input, scheme);
    if (misspelt !== undefined) return told('malformed_secret', misspelt);
    if (result === 'valid') return told('valid', '');
    return told('stale', staleMessage(request, receivedAtMs));
  }
  if (result === 'body_malformed') {
    const message = 'The signature fits, but the body is no event: {"type", "timestamp", "data"} in JSON.';
    return told('not_an_event', message);
  }
  if (result !== 'signature_mismatch') return told('malformed_header', reason);
  return diagnoseMismatch(input, scheme, usable);
}

async function diagnoseMismatch(
  { request, secrets: given }: DiagnosisInput,
  scheme: SignatureSchemeName,
  secrets: readonly string[],
): Promise<Diagnosis> {
  const signed = await Promise.all(secrets.map((secret) => isSigned(request, scheme, secret)));
  if (signed.includes(true)) {
    const message = 'The signature fits, but X-Webhook-Event is not the event in the body: it was altered.';
    return { scheme, code: 'relabelled', message };
  }
  const mistake = await findMistake(request, scheme, secrets);
  if (mistake !== undefined) return { scheme, code: mistake.code, message: mistakeMessage(mistake) };
  const { code, message } = judgeUntouched(request);
  return { scheme, code, message: [message, unreadableLines(given)].join(' ').trimEnd() };
}

/** Names the lines that are no secret, because the one that fits may be among them. */
function unreadableLines(secrets: readonly GivenSecret[]): string {
  const lines = secrets.flatMap(({ line, secret }) => (secret === undefined ? line : []));
  if (lines.length === 0) return '';
  const [subject, verb] = lines.length === 1 ? ['Line', 'is'] : ['Lines', 'are'];
  return `${subject} ${lines.join(', ')} of the secrets ${verb} not ${SECRET_FORM}.`;
}

function mistakeMessage({ code, told }: FoundMistake): string {
  const advice = code === 'altered_body' ? ' Verify the bytes as they came in, before any parser.' : '';
  return `${OPENINGS[code]}: the signature fits ${told}.${advice}`;
}

const OPENINGS: Readonly<Record<FoundMistake['code'], string>> = {
  altered_body: 'The body was altered',
  wrong_key: 'The sender used another key',
  wrong_content: 'The sender signed something other than <id>.<timestamp>.<body>',
};

/** Names the mistakes in a secret that only fits once they are undone. */
async function misspeltSecret(
  { request, secrets }: DiagnosisInput,
  scheme: SignatureSchemeName,
): Promise<string | undefined> {
  for (const { secret, faults } of secrets) {
    if (secret === undefined || !(await isSigned(request, scheme, secret))) continue;
    if (faults.length === 0) return undefined;
    return `The signature fits, but not the secret as it was given here: ${faults.join(', ')}.`;
  }
  return undefined;
}

function staleMessage({ headers }: SignedRequest, receivedAtMs: number): string {
  const seconds = Math.floor(receivedAtMs / 1_000) - Number(headers['webhook-timestamp']?.[0]);
  const distance = `${durationText(Math.abs(seconds))} ${seconds > 0 ? 'before' : 'after'} the time of receipt`;
  return (
    `The signature fits, but webhook-timestamp is ${distance}; verify allows 5 min. ` +
    'If the request came in earlier than now, say when with --received-at. Otherwise, compare the clocks of sender and recipient.'
  );
}

function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** The name of a header set in front of people. */
export function titleOf({ code, scheme }: Diagnosis): string {
  return code === 'other_scheme' ? 'signature' : SCHEME_TITLES[scheme];
}
