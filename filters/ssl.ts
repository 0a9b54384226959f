import type { Component, Filter, PropertyTable, Verdict } from '../src/spi/index.ts';
import { enabledProperty, pass, portProperty, readPort, switched } from './answers.ts';
import { redirectTo } from './location.ts';

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
