import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import { fakeOpenSearch } from '../support/opensearch/fake.ts';
import type { Opened } from './service.ts';

export interface EngineHost {
  /** The password of `admin`. */
  readonly password: string;
  /** A service with that security.ini whose calls go to that network. */
  open(security: SecurityInput, network: typeof fetch): Promise<Opened & { tick(): Promise<unknown> }>;
}

const statements = [
  'search = portico.OpenSearchEngine',
  'search.url = https://search.example',
  'search.accessKey = AKID',
  'search.secretKey = a secret',
  'search.region = eu-west-1',
];

/** Requests to OpenSearch are signed by cryptography of the platform, and streamed by its fetch. */
export function describeSearchEngine(host: EngineHost): void {
  describe('a search engine', () => {
    const logins = new Set<string>();
    let service: Awaited<ReturnType<EngineHost['open']>>;
    beforeAll(async () => {
      const fake = fakeOpenSearch();
      const network = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
        const request = new Request(input, init);
        // The rows of all suites are the same: notifications of others are delivered, too.
        if (request.url.startsWith('https://search.example/'))
          logins.add((request.headers.get('authorization') ?? '').replace(/\/\d{8}\/.*/, ''));
        return fake.fetch(request);
      };
      const text = defaultIni.replace(/^\[urls\]$/m, () => `${statements.join('\n')}\n[urls]`);
      service = await host.open({ text, file: 'security.ini', plugins: [] }, network as typeof fetch);
    });
    afterAll(() => service.close());

    const send = async (method: string, path: string, body: object) => {
      const headers = {
        authorization: `Basic ${btoa(`admin:${host.password}`)}`,
        ...{ 'content-type': 'application/json', accept: 'application/json' },
      };
      const url = `https://portico.test/API${path}`;
      const answer = await service.fetch(new Request(url, { method, headers, body: JSON.stringify(body) }));
      expect(answer.status, `${method} ${path}`).toBe(200);
      return answer.json();
    };

    it('is fed, and answers searches', async () => {
      const field = [{ name: 'title', value: [{ value: 'Engine of the runtime' }] }];
      await send('POST', '/import/placeholder', { timespan: [{ start: '-INF', end: '+INF', field }] });
      const words = { text: [{ value: 'engine runtime' }] };
      const strategy = async () => {
        await service.tick();
        return (await send('PUT', '/item?explain=true', words)).strategy;
      };
      await expect.poll(strategy, { interval: 500 }).toBe('engine');
      expect(await send('PUT', '/item', words)).toMatchObject({ hits: 1 });
      expect([...logins]).toEqual(['AWS4-HMAC-SHA256 Credential=AKID']);
    });
  });
}
