import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { access, type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import type { OAuth2Problem } from '../../spi/index.ts';
import { type OAuth2Configuration, oauth2ConfigurationDocument } from './documents.ts';
import { configurationEvent } from './events.ts';
import { setDocument } from './live-document.ts';
import type { ConfigurationParts } from './parts.ts';

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
      isDangerous: true,
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
      isDangerous: true,
      handle: (call) => call.commit(removeOAuth2()),
    }),
  ];
}

/** An element without a text says nothing: forms send all of them. */
function withoutBlanks(configuration: OAuth2Configuration): OAuth2Configuration {
  const said = Object.entries(configuration).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter(filled) : value,
  ]);
  return Object.fromEntries(said.filter(([, value]) => (Array.isArray(value) ? value.length > 0 : filled(value))));
}

const filled = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;

const changed = () => configurationEvent('configuration/modify', 'auth', { name: 'auth' });

/** Replaces all that was said before; nothing of it is merged. */
function replaceOAuth2(configuration: OAuth2Configuration, problems: readonly OAuth2Problem[]): CommitPlan {
  const [first, ...others] = problems;
  if (first) {
    const explanation = [first, ...others].map((problem) => problem.explanation).join('; ');
    throw new ServiceError('bad-value', { context: `/OAuth2ConfigurationDocument/${first.element}`, explanation });
  }
  return { changes: [setDocument('auth', configuration)], events: [changed()] };
}

const removeOAuth2 = (): CommitPlan => ({ changes: [setDocument('auth', undefined)], events: [changed()] });

function closed(): ServiceError {
  const explanation = 'Expected oauth2Auth.allowConfigUpdate = true in security.ini, which closes this resource';
  return new ServiceError('not-allowed', { context: 'security.ini', id: 'oauth2Auth', explanation });
}
