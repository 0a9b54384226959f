import type { Component, Filter, FilterRequest, PropertyTable, Verdict } from '../src/spi/index.ts';
import { enabledProperty, pass, portProperty, readPort, redirect, refuse, switched } from './answers.ts';

const hostForm = /^([A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const ownPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Redirects to the same address with another scheme or port. The host comes from the client's own header, so only that
 * client is affected.
 */
function redirectTo(request: FilterRequest, reason: string, scheme: 'http' | 'https', port: number): Verdict {
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

interface Hsts {
  readonly enabled?: boolean | undefined;
  readonly maxAge?: number | undefined;
  readonly includeSubDomains?: boolean | undefined;
}

interface SslProperties {
  readonly port?: number | undefined;
  readonly hsts?: Hsts | undefined;
  readonly enabled?: boolean | undefined;
}

const hsts: PropertyTable = {
  enabled: { type: 'boolean', fallback: false, says: 'Tells browsers to use https only, from now on.' },
  maxAge: {
    type: 'integer',
    fallback: 31_536_000,
    says: 'Duration in seconds.',
    check: (value: number) => (value >= 0 ? undefined : 'Expected a number of seconds, 0 or more'),
  },
  includeSubDomains: { type: 'boolean', fallback: false, says: 'Whether this includes subdomains.' },
};

/** HSTS header for answers over https. Over http a browser would ignore it (RFC 6797). */
function hstsHeaders(properties: Hsts = {}): Readonly<Record<string, string>> {
  if (!properties.enabled) return {};
  const age = `max-age=${properties.maxAge ?? 31_536_000}`;
  return { 'strict-transport-security': properties.includeSubDomains ? `${age}; includeSubDomains` : age };
}

/** Secure means: by the socket, or by a trusted proxy. Behind another proxy that ends TLS this filter is not usable. */
export const ssl: Component<Filter> = {
  says: 'Lets requests pass that came by https to the port in the brackets. Redirects others there.',
  properties: {
    port: portProperty(443),
    hsts: { type: { nested: hsts }, says: 'Strict transport security.' },
    enabled: enabledProperty,
  },
  create(properties: SslProperties, host) {
    const headers = hstsHeaders(properties.hsts);
    const passed: Verdict = properties.hsts?.enabled ? { verdict: 'pass', headers } : pass;
    const filter: Filter = {
      options: readPort,
      check(request) {
        const wanted = (request.options as number | undefined) ?? properties.port ?? 443;
        return request.secure && request.port === wanted ? passed : redirectTo(request, 'not-secure', 'https', wanted);
      },
    };
    return switched(filter, properties.enabled, host);
  },
};

interface PortProperties {
  readonly port?: number | undefined;
  readonly enabled?: boolean | undefined;
}

const schemes: ReadonlyMap<number, 'http' | 'https'> = new Map([
  [80, 'http'],
  [443, 'https'],
]);

export const port: Component<Filter> = {
  says: 'Lets requests pass that came to the port in the brackets. Redirects others there.',
  properties: { port: portProperty(80), enabled: enabledProperty },
  create(properties: PortProperties, host) {
    const filter: Filter = {
      options: readPort,
      check(request) {
        const wanted = (request.options as number | undefined) ?? properties.port ?? 80;
        if (request.port === wanted) return pass;
        return redirectTo(request, 'port-other', schemes.get(wanted) ?? (request.secure ? 'https' : 'http'), wanted);
      },
    };
    return switched(filter, properties.enabled, host);
  },
};
