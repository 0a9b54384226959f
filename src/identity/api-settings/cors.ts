import { compilePattern } from '../../core/documents/pattern.ts';
import { after } from '../../core/lib/maybe.ts';
import type { Store } from '../../core/store/store.ts';
import { type Cors, type CorsQuestion, exposedHeaders } from '../../http/cors.ts';
import type { CorsConfiguration } from './documents.ts';
import { liveDocument } from './live-document.ts';

type Entry = NonNullable<CorsConfiguration['entry']>[number];
type Condition = NonNullable<Entry['request']>[number];
type CorsResponse = Entry['response'];

type Test = (question: CorsQuestion) => boolean;

/** Finds the first entry one of whose conditions holds; an entry without a condition always does. */
export function compileCors({ entry = [] }: CorsConfiguration): (question: CorsQuestion) => CorsResponse | undefined {
  const entries = entry.map(({ request = [], response }, index) => ({
    response,
    tests: request.map((condition, at) =>
      compileCondition(condition, `/CORSConfigurationDocument/entry[${index}]/request[${at}]`),
    ),
  }));
  return (question) =>
    entries.find(({ tests }) => tests.length === 0 || tests.some((test) => test(question)))?.response;
}

/** Condition of an entry. All given kinds must match, each with at least one of its values. */
function compileCondition(condition: Condition, place: string): Test {
  const { origin = [], originRegex = [], pathRegex = [], method = [], headerRegex = [] } = condition;
  const origins = originRegex.map((pattern) => compilePattern(pattern, `${place}/originRegex`));
  const paths = pathRegex.map((pattern) => compilePattern(pattern, `${place}/pathRegex`));
  const methods = method.flatMap((text) => text.split(',')).map((text) => text.trim().toUpperCase());
  const headers = headerRegex.map(({ key, value = '.*' }) => ({
    name: key,
    fits: compilePattern(value, `${place}/headerRegex/value`),
  }));
  const anyOrigin = origin.length + origins.length === 0 || origin.includes('*');
  return (question) =>
    (anyOrigin || origin.includes(question.origin) || origins.some((fits) => fits(question.origin))) &&
    (paths.length === 0 || paths.some((fits) => fits(question.path) || fits(`/API${question.path}`))) &&
    (methods.length === 0 || methods.includes(question.method)) &&
    headers.every(({ name, fits }) => fits(question.headers.get(name) ?? ''));
}

/** Files of the web page, which need no database. */
const isOfPage = /^\/ui(?:\/|$)/;

/** CORS by `/configuration/cors`. Without a matching entry the setting applies. */
export function liveCors(store: Store, setting: Cors): Cors {
  const live = liveDocument(store, 'cors', (document) => compileCors(document as CorsConfiguration));
  return {
    headersFor(question) {
      if (isOfPage.test(question.path)) return setting.headersFor(question);
      return after(live(), ({ value: find }) => {
        const response = find?.(question);
        return response ? headersOf(response) : setting.headersFor(question);
      });
    },
    preflightHeaders: (question) =>
      after(live(), ({ value: find }) => {
        const response = find?.(question);
        return response ? preflightHeadersOf(response) : setting.preflightHeaders(question);
      }),
  };
}

function headersOf({ allowOrigin, allowOtherHeader = [] }: CorsResponse): Record<string, string> {
  const others = allowOtherHeader.map(({ key, value = '' }) => [key.toLowerCase(), value]);
  return {
    'access-control-allow-origin': allowOrigin,
    'access-control-expose-headers': exposedHeaders,
    vary: 'Origin',
    ...Object.fromEntries(others),
  };
}

function preflightHeadersOf({ allowMethods, allowHeaders, allowMaxAge }: CorsResponse): Record<string, string> {
  return {
    ...(allowMethods ? { 'access-control-allow-methods': allowMethods.join(', ') } : {}),
    ...(allowHeaders ? { 'access-control-allow-headers': allowHeaders.join(', ') } : {}),
    ...(allowMaxAge === undefined ? {} : { 'access-control-max-age': String(allowMaxAge) }),
  };
}
