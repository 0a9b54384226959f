import { requireDocument } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { done } from '../../http/reply.ts';
import { access, type Route, role } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { type OAuth2Configuration, oauth2ConfigurationDocument } from '../documents/oauth2.ts';
import type { ConfigurationParts } from '../parts.ts';
import { closed, removeOAuth2, replaceOAuth2 } from './rules.ts';

/** Routes of the bearer configuration, for administrators, if security.ini permits it. */
export function authRoutes(parts: ConfigurationParts): readonly Route[] {
  const { render } = parts;
  const administrators = role(administrator);
  const mayConfigure = access(administrators.needs, async (call, params) => {
    await administrators(call, params);
    if (!(await parts.mayConfigureBearer())) throw closed();
  });
  const shared = { path: '/configuration/auth', access: mayConfigure } as const;
  return [
    {
      ...shared,
      method: 'GET',
      says: 'How bearer tokens are validated.',
      answers: oauth2ConfigurationDocument,
      produces: documentTypes,
      async handle(_call, type) {
        const { configuration = {} } = await parts.oauth2();
        return render(type, oauth2ConfigurationDocument, configuration);
      },
    },
    {
      ...shared,
      method: 'PUT',
      says: 'Sets how bearer tokens are validated.',
      reads: oauth2ConfigurationDocument,
      answers: oauth2ConfigurationDocument,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type) {
        const given = withoutBlanks(await requireDocument(call, oauth2ConfigurationDocument, parts.limits));
        await call.commit(replaceOAuth2(given, await parts.problemsOf(given)));
        return render(type, oauth2ConfigurationDocument, given);
      },
    },
    {
      ...shared,
      method: 'DELETE',
      says: 'Ends the validation of bearer tokens.',
      acting: 'refused',
      produces: [],
      async handle(call) {
        await call.commit(removeOAuth2());
        return done;
      },
    },
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
