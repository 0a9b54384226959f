import type { Filter, Plugin, SecretText } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

interface Properties {
  readonly secret: SecretText;
  readonly header: string;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']);

/** Compares hashes, which have equal length, to the end: the time does not tell how much was right. */
async function same(given: string, wanted: string): Promise<boolean> {
  const hash = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const [a, b] = await Promise.all([hash(given), hash(wanted)]);
  return a.reduce((difference, byte, index) => difference | (byte ^ b[index]!), 0) === 0;
}

export default {
  name: 'gateway-filter',
  version: '1.0.0',
  contract: 1,
  filters: {
    'example.GatewayFilter': {
      says: 'Lets requests pass that carry the secret of the gateway. Methods in the brackets limit it to those.',
      properties: {
        secret: { type: 'secret', required: true, says: 'What the gateway puts into the header.' },
        header: { type: 'string', fallback: 'x-gateway-secret', says: 'The header that carries it.' },
      },
      create: ({ secret, header }: Properties): Filter => ({
        options(words) {
          const unknown = words.find((word) => !methods.has(word));
          if (unknown === undefined) return new Set(words);
          throw new Error(`Expected methods such as POST: "${unknown.slice(0, 40)}"`);
        },
        async check({ headers, method, options }) {
          if (options instanceof Set && !options.has(method)) return { verdict: 'pass' };
          const given = headers.get(header) ?? '';
          if (await same(given, secret.reveal())) return { verdict: 'pass' };
          return { verdict: 'refuse', reason: 'gateway-bypassed', response: { status: 403, headers: {} } };
        },
      }),
    },
  },
} satisfies Plugin;

export const examples = [
  {
    component: 'example.GatewayFilter',
    properties: { secret: 'of the gateway' },
    cases: [
      { request: { headers: { 'x-gateway-secret': 'of the gateway' } }, verdict: 'pass' },
      { request: { headers: { 'x-gateway-secret': 'of the gate' } }, verdict: 'refuse' },
      { request: {}, verdict: 'refuse' },
      { request: { method: 'GET' }, words: ['POST'], verdict: 'pass' },
      { request: { method: 'POST' }, words: ['POST'], verdict: 'refuse' },
    ],
  },
] satisfies PluginExamples;
