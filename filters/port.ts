import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass, portProperty, readPort, switched } from './answers.ts';
import { redirectTo } from './location.ts';

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
