import { access, type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { type OAuth2Configuration, oauth2ConfigurationDocument } from '../documents/oauth2.ts';
import type { ConfigurationParts } from '../parts.ts';
import { closed, removeOAuth2, replaceOAuth2 } from './rules.ts';

/** Routes of the bearer configuration, for administrators, if security.ini permits it. */
export function authRoutes(parts: ConfigurationParts): readonly Route[] {
  const administrators = role(administrator);
  const mayConfigure = access(administrators.needs, async (call, params) => {
    await administrators(call, params);
    if (!(await parts.mayConfigureBearer())) throw closed();
  });
  const path = '/configuration/auth';
  return [
    route({
      method: 'GET',
      path,
      says: 'How bearer tokens are validated.',
      answers: oauth2ConfigurationDocument,
      access: mayConfigure,
      handle: async () => (await parts.oauth2()).configuration ?? {},
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets how bearer tokens are validated.',
      reads: oauth2ConfigurationDocument,
      answers: oauth2ConfigurationDocument,
      access: mayConfigure,
      acting: 'refused',
      async handle(call) {
        const configuration = withoutBlanks(call.body);
        await call.commit(replaceOAuth2(configuration, await parts.problemsOf(configuration)));
        return configuration;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Ends the validation of bearer tokens.',
      access: mayConfigure,
      acting: 'refused',
      handle: (call) => call.commit(removeOAuth2()),
    }),
  ];
}

/** An element without a text says nothing: forms send all of them. */
function withoutBlanks(given: OAuth2Configuration): OAuth2Configuration {
  const said = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter(filled) : value,
  ]);
  return Object.fromEntries(said.filter(([, value]) => (Array.isArray(value) ? value.length > 0 : filled(value))));
}

const filled = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
