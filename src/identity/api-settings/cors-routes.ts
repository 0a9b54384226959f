import { isHeaderName } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { type Route, role, route } from '../../http/route.ts';
import { administrator } from '../../security/subject.ts';
import { compileCors } from './cors.ts';
import { type CorsConfiguration, corsConfigurationDocument } from './documents.ts';
import { configurationEvent } from './events.ts';
import { liveDocument, setDocument } from './live-document.ts';
import type { ConfigurationParts } from './parts.ts';

const max = 100;
/** Limit of patterns: each takes up to a millisecond to compile, on the main thread. */
const maxPatterns = 20;
const visible = /^[\x20-\x7e]*$/;

/** Replaces all that was said before; an empty document leaves nothing but the setting. */
function replaceCors(document: CorsConfiguration): CommitPlan {
  const { entry = [] } = document;
  if (entry.length > max) throw bad('entry', `Expected at most ${max} entries`);
  const requests = entry.flatMap(({ request = [] }) => request);
  const lists = requests.flatMap(({ originRegex, pathRegex, headerRegex }) => [originRegex, pathRegex, headerRegex]);
  const patterns = lists.reduce((sum, list = []) => sum + list.length, 0);
  if (patterns > maxPatterns) throw bad('entry/request', `Expected at most ${maxPatterns} regular expressions`);
  // Invalid patterns are refused here, instead of failing in requests.
  compileCors(document);
  for (const { response } of entry) {
    if (!/^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,*]+)$/i.test(response.allowOrigin)) {
      throw bad(
        'entry/response/allowOrigin',
        'Expected "*" or one origin such as https://app.example.com',
        response.allowOrigin,
      );
    }
    for (const { key, value = '' } of response.allowOtherHeader ?? []) {
      if (!isHeaderName(key) || !visible.test(value)) {
        throw bad('entry/response/allowOtherHeader', 'Expected the name and the value of a header', key);
      }
      if (owned.has(key.toLowerCase())) {
        throw bad('entry/response/allowOtherHeader', 'Expected a header that the service does not set itself', key);
      }
    }
    for (const list of [...(response.allowMethods ?? []), ...(response.allowHeaders ?? [])]) {
      if (!/^[!#$%&'*+.^_`|~\w\s,-]*$/.test(list))
        throw bad('entry/response', 'Expected names with commas between', list);
    }
  }
  return {
    changes: [setDocument('cors', entry.length === 0 ? undefined : document)],
    events: [configurationEvent('configuration/modify', 'cors', { name: 'cors' })],
  };
}

const owned = new Set([
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'set-cookie',
  'www-authenticate',
]);

function bad(element: string, explanation: string, value?: string): ServiceError {
  const context = `/CORSConfigurationDocument/${element}`;
  return new ServiceError('bad-value', {
    context,
    explanation,
    ...(value === undefined ? {} : { value: value.slice(0, 80) }),
  });
}

/** Routes of the CORS configuration. */
export function corsRoutes({ store }: ConfigurationParts): readonly Route[] {
  const live = liveDocument(store, 'cors', (document) => document as CorsConfiguration);
  const path = '/configuration/cors';
  return [
    route({
      method: 'GET',
      path,
      says: 'Which pages of other origins may call the API.',
      answers: corsConfigurationDocument,
      access: role('_configuration_read'),
      handle: async () => (await live()).value ?? {},
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets which pages of other origins may call the API.',
      reads: corsConfigurationDocument,
      access: role(administrator),
      acting: 'refused',
      handle: (call) => call.commit(replaceCors(call.body)),
    }),
  ];
}
