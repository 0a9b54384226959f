import type { Plugin, Realm, RealmAnswer, SecretText } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

interface Properties {
  readonly secret: SecretText;
  readonly longest: number;
}

const refused = (reason: string): RealmAnswer => ({ answer: 'refused', reason });

/** Tickets that a partner signs: `<seconds since 1970>.<HMAC-SHA-256 of the user, a line end and those seconds>`. */
export default {
  name: 'ticket-realm',
  version: '1.0.0',
  contract: 1,
  realms: {
    'example.TicketRealm': {
      says: 'Lets in users with a signed ticket in place of a password.',
      properties: {
        secret: { type: 'secret', required: true, says: 'Shared with the program that signs the tickets.' },
        longest: { type: 'duration', fallback: 3_600_000, says: 'How far ahead a ticket may expire.' },
      },
      async create({ secret, longest }: Properties, host): Promise<Realm> {
        const bytes = (text: string) => new TextEncoder().encode(text);
        const algorithm = { name: 'HMAC', hash: 'SHA-256' };
        const key = await crypto.subtle.importKey('raw', bytes(secret.reveal()), algorithm, false, ['verify']);
        return {
          supports: ({ kind }) => kind === 'password',
          async authenticate(credentials) {
            if (credentials.kind !== 'password') return { answer: 'not-mine' };
            const [, expires, hex] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(credentials.password.reveal()) ?? [];
            // A password, perhaps: another realm may know it.
            if (expires === undefined || hex === undefined) return { answer: 'not-mine' };
            const signature = Uint8Array.from(hex.match(/../g)!, (two) => Number.parseInt(two, 16));
            const signed = bytes(`${credentials.user}\n${expires}`);
            if (!(await crypto.subtle.verify('HMAC', key, signature, signed))) return refused('ticket-forged');
            const left = Number(expires) * 1000 - host.now();
            if (left <= 0) return refused('ticket-expired');
            return left > longest
              ? refused('ticket-too-long')
              : { answer: 'account', account: { name: credentials.user } };
          },
        };
      },
    },
  },
} satisfies Plugin;

/** A ticket for alice that is good on the day on which the clock of the test host stands. */
export const examples = [
  {
    component: 'example.TicketRealm',
    properties: { secret: 'replace this secret' },
    knows: {
      user: 'alice',
      password: '1700003000.39506e96f3409215e61b2f20d73bb65012a78fd1bf6573f847b18f8d0ae6d04c',
    },
  },
] satisfies PluginExamples;
