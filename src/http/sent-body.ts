import { ServiceError } from '../core/lib/errors.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import { isBlankBody, type SentBody, type SentForm, unread } from './body.ts';
import { type BodyForm, formList } from './forms.ts';
import type { Route } from './route.ts';

/**
 * Format of the body, by the route and the Content-Type. Other types are 415. Clients send a type without a body, so an
 * empty body is never refused for its type.
 */
export function sentBody({ reads }: Pick<Route, 'reads'>, request: Request): Maybe<SentBody> {
  if (reads === undefined) return unread;
  const forms = formList(reads);
  const optional = forms.includes('nothing');
  const form = formOf(request.headers.get('content-type'), forms);
  if (!(form instanceof ServiceError)) return { form, optional };
  return after(isBlankBody(request), (blank) => {
    if (blank) return { form: 'empty', optional };
    throw form;
  });
}

/** Types as most clients send them, which need no parsing. */
const plainDocuments: Readonly<Record<string, 'xml' | 'json'>> = {
  'application/xml': 'xml',
  'application/json': 'json',
};

function formOf(contentType: string | null, forms: readonly BodyForm[]): SentForm | ServiceError | undefined {
  const said = contentType?.trim() ? contentType : undefined;
  if (forms.includes('bytes')) return 'bytes';
  const anyXml = forms.includes('xml');
  const documents = forms.some((form) => typeof form !== 'string');
  const text = forms.includes('text');
  if (!documents && !text && !anyXml) return undefined;
  if (said === undefined) return text ? 'text' : undefined;
  if (documents && Object.hasOwn(plainDocuments, said)) return plainDocuments[said];
  const [type = '', ...parameters] = said
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?(utf-?8|us-ascii)"?$/.test(charset))
    return unsupported('Expected the charset UTF-8', said);
  const document = /^(?:application|text)\/(?:\S+\+)?(xml|json)$/.exec(type)?.[1] as 'xml' | 'json' | undefined;
  if (documents && document) return document;
  if (anyXml && document === 'xml') return document;
  if (text && !document && isText(type)) return 'text';
  const expected = [
    ...(documents ? ['application/xml', 'application/json'] : anyXml ? ['application/xml'] : []),
    ...(text ? ['text/plain'] : []),
  ];
  return unsupported(`Expected ${expected.join(' or ')}`, said);
}

/** Text types, including the default of curl and the libraries of Ruby and Python. */
const isText = (type: string): boolean =>
  type === 'application/javascript' ||
  type.startsWith('text/') ||
  type === 'application/x-www-form-urlencoded' ||
  type === 'application/octet-stream';

function unsupported(explanation: string, contentType: string): ServiceError {
  return new ServiceError('media-type-unsupported', {
    context: 'header Content-Type',
    explanation,
    value: contentType.slice(0, 80),
  });
}
