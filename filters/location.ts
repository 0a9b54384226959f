import type { FilterRequest, Verdict } from '../src/spi/index.ts';
import { redirect, refuse } from './answers.ts';

const hostForm = /^([A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const ownPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Redirects to the same address with another scheme or port. The host comes from the client's own header, so only that
 * client is affected.
 */
export function redirectTo(request: FilterRequest, reason: string, scheme: 'http' | 'https', port: number): Verdict {
  const host = hostForm.exec(request.headers.get('host') ?? '')?.[1];
  if (host === undefined) return refuse('host-unusable', 400);
  const authority = port === ownPorts[scheme] ? host : `${host}:${port}`;
  // An absolute target names a host of its own: only its path is kept.
  const path = request.rawPath.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const query = request.query === undefined ? '' : `?${request.query}`;
  return redirect(
    reason,
    `${scheme}://${authority}${percentEncoded(`${path.startsWith('/') ? path : `/${path}`}${query}`)}`,
  );
}

/** Raw characters are the bytes of the socket; a header takes them only percent-encoded. */
function percentEncoded(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) => {
    const code = character.codePointAt(0)!;
    return code > 0xff
      ? encodeURIComponent(character.toWellFormed())
      : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
