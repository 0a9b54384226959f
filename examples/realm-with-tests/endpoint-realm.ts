import type { Host, Plugin, Realm } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

interface Properties {
  readonly url: string;
  readonly timeout: number;
}

/** Aborted by the service, or when the time is up by the clock of the host. */
function within(host: Host, milliseconds: number, signal: AbortSignal): { signal: AbortSignal; done(): void } {
  const [late, done] = [new AbortController(), new AbortController()];
  host.sleep(milliseconds, done.signal).then(
    () => late.abort(new Error(`Expected an answer within ${milliseconds} ms: none`)),
    () => undefined,
  );
  return { signal: AbortSignal.any([signal, late.signal]), done: () => done.abort() };
}

export default {
  name: 'endpoint-realm',
  version: '1.0.0',
  contract: 1,
  realms: {
    'example.EndpointRealm': {
      says: 'Asks an endpoint: 200 with the same name lets in, 403 refuses, anything else counts as a failure.',
      properties: {
        url: { type: 'url', required: true, says: 'The endpoint.' },
        timeout: { type: 'duration', fallback: 5_000, says: 'How long it has for an answer.' },
      },
      create: ({ url, timeout }: Properties, host): Realm => ({
        supports: ({ kind }) => kind === 'password',
        async authenticate(credentials, login) {
          if (credentials.kind !== 'password') return { answer: 'not-mine' };
          const { user, password } = credentials;
          const time = within(host, timeout, login.signal);
          try {
            const body = JSON.stringify({ user, password: password.reveal() });
            const response = await host.fetch(url, { method: 'POST', body, signal: time.signal, redirect: 'manual' });
            if (response.status === 403) return { answer: 'refused', reason: 'wrong-password' };
            if (response.status !== 200) throw new Error(`Expected status 200 or 403: ${response.status}`);
            const answer: unknown = await response.json();
            if (Object(answer).name !== user) throw new Error('Expected the name that was asked for: another one');
            return { answer: 'account', account: { name: user } };
          } finally {
            time.done();
          }
        },
      }),
    },
  },
} satisfies Plugin;

export const examples = [
  {
    component: 'example.EndpointRealm',
    properties: { url: 'https://people.example.com/login' },
    knows: { user: 'alice', password: 'a long pass phrase' },
    async backend(request: Request) {
      const { user, password } = await request.json();
      const known = user === 'alice' && password === 'a long pass phrase';
      return known ? Response.json({ name: user }) : new Response(null, { status: 403 });
    },
  },
] satisfies PluginExamples;
