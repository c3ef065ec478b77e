/**
 * The strictest policy under which the pages work. Scripts and styles come only from files of this
 * origin: no inline script, no `eval`, no inline `<style>`. The positions that components set
 * through the CSSOM do not count as inline style. Text cannot become markup even by mistake
 * (Trusted Types), and requests go to this origin only.
 *
 * Mantine, like most component libraries, asks for `'unsafe-inline'` styles or a nonce. Files
 * replace what it would write at run time: its variables, its classes for screen sizes and its
 * scroll lock. Responsive style props have no effect until `panel.css` has rules for them. The
 * browser tests fail on any violation.
 */
const CONTENT_SECURITY_POLICY: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/**
 * The headers of every response.
 *
 * @param frameAncestors origins, and `self`
 */
export function securityHeaders(frameAncestors: readonly string[]): Readonly<Record<string, string>> {
  const ancestors = frameAncestors.map((ancestor) => (ancestor === 'self' ? "'self'" : ancestor));
  const framing = `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`;
  return {
    'Content-Security-Policy': [...CONTENT_SECURITY_POLICY, framing].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // `no-referrer` would make the Origin of a form's POST `null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    // It knows no origins: browsers that know `frame-ancestors` ignore it.
    ...(ancestors.length === 0 && { 'X-Frame-Options': 'DENY' }),
  };
}
