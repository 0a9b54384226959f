import { after } from '../../../core/lib/maybe.ts';
import type { Store } from '../../../core/store/store.ts';
import { type Cors, exposedHeaders } from '../../../http/cors.ts';
import type { CorsConfiguration } from '../documents/cors.ts';
import { liveDocument } from '../live-document.ts';
import { type CorsResponse, compileCors } from './policy.ts';

/** CORS by `/configuration/cors`. Without a matching entry the setting applies. */
export function liveCors(store: Store, setting: Cors): Cors {
  const live = liveDocument(store, 'cors', (document) => compileCors(document as CorsConfiguration));
  return {
    headersFor: (question) =>
      after(live(), ({ value: find }) => {
        const response = find?.(question);
        return response ? headersOf(response) : setting.headersFor(question);
      }),
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
