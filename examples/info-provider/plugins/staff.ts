import type { Plugin, Realm, ServiceUserInfoProvider } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

type Texts = ReadonlyMap<string, string>;

async function digest(text: string): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

export default {
  name: 'staff',
  version: '1.0.0',
  contract: 1,
  realms: {
    'example.StaffRealm': {
      says: 'People that are written in security.ini: a realm that stands for your directory.',
      properties: {
        people: { type: 'map', required: true, says: 'By name: department; real name; pass phrase.' },
      },
      create: ({ people }: { people: Texts }): Realm => ({
        supports: ({ kind }) => kind === 'password',
        async authenticate(credentials) {
          if (credentials.kind !== 'password') return { answer: 'not-mine' };
          const { user, password } = credentials;
          const [department, realName, phrase] = (people.get(user) ?? ';;').split(';').map((part) => part.trim());
          // Digests are compared, and for somebody unknown as well: the time does not tell who is known.
          const right = (await digest(password.reveal())) === (await digest(phrase ?? ''));
          if (!right || !department || !realName || !phrase) return { answer: 'refused', reason: 'wrong-password' };
          return { answer: 'account', account: { name: user, attributes: { department, realName } } };
        },
      }),
    },
  },
  userInfoProviders: {
    'example.StaffInfoProvider': {
      says: 'The real name, and the group of the department.',
      properties: { groups: { type: 'map', required: true, says: 'Groups of the service, by department.' } },
      create: ({ groups }: { groups: Texts }): ServiceUserInfoProvider => ({
        userInfo({ name, attributes = {} }) {
          const { department, realName } = attributes;
          // Not one of ours: the login stands, and nobody is made.
          if (typeof department !== 'string' || typeof realName !== 'string') return undefined;
          const group = groups.get(department);
          return { userName: name, realName, groups: group === undefined ? [] : [group], metadata: { department } };
        },
      }),
    },
  },
} satisfies Plugin;

export const examples = [
  {
    component: 'example.StaffRealm',
    properties: { 'people[alice]': 'press; Alice Archer; a long pass phrase' },
    knows: { user: 'alice', password: 'a long pass phrase' },
  },
  {
    component: 'example.StaffInfoProvider',
    properties: { groups: 'press:editors' },
    accounts: [{ name: 'alice', attributes: { department: 'press', realName: 'Alice Archer' } }],
  },
] satisfies PluginExamples;
