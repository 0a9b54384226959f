import type { Plugin, Realm, SecretText } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

interface Properties {
  readonly guests: readonly string[];
  readonly code: SecretText;
}

async function digest(text: string): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

export default {
  name: 'invitations',
  version: '1.0.0',
  contract: 1,
  realms: {
    'example.InvitationRealm': {
      says: 'Guests by their names, and the code that stands on their invitations.',
      properties: {
        guests: { type: 'list', required: true, says: 'Their names.' },
        code: { type: 'secret', required: true, says: 'What stands on the invitations.' },
      },
      create: ({ guests, code }: Properties): Realm => ({
        supports: ({ kind }) => kind === 'password',
        async authenticate(credentials) {
          if (credentials.kind !== 'password') return { answer: 'not-mine' };
          const { user, password } = credentials;
          // Digests, so that the time does not tell how much was right; and always, so that it does not tell who is invited.
          const right = (await digest(password.reveal())) === (await digest(code.reveal()));
          return right && guests.includes(user)
            ? { answer: 'account', account: { name: user } }
            : { answer: 'refused', reason: 'wrong-code' };
        },
      }),
    },
  },
} satisfies Plugin;

export const examples = [
  {
    component: 'example.InvitationRealm',
    properties: { guests: 'eve, frank', code: 'welcome to the party' },
    knows: { user: 'eve', password: 'welcome to the party' },
  },
] satisfies PluginExamples;
