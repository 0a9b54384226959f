import type { Call } from '../../http/call.ts';
import { type Reply, typed } from '../../http/reply.ts';
import { anyCaller, type Route } from '../../http/route.ts';
import type { ApiDescription, FixedText } from './texts.ts';

/** What clients are generated from. */
export const descriptionRoutes = (description: ApiDescription): readonly Route[] => [
  {
    method: 'GET',
    path: '/openapi.json',
    says: 'The OpenAPI 3.1 document of this API.',
    access: anyCaller,
    answers: 'text',
    produces: ['application/json'],
    handle: async (call) => fixed(call, 'application/json', await description.openApiText()),
  },
  {
    method: 'GET',
    path: '/schema.xsd',
    says: 'The XML Schema of the documents.',
    access: anyCaller,
    answers: 'text',
    produces: ['application/xml'],
    handle: async (call) => fixed(call, 'application/xml', await description.xsdText()),
  },
];

/** Asked again with each use, and answered without a body as long as the caller has it. */
function fixed({ request }: Call, type: string, { text, tag }: FixedText): Reply {
  const headers = { etag: tag, 'cache-control': 'private, no-cache' };
  return has(request.headers.get('if-none-match'), tag) ? { status: 304, headers } : { ...typed(type, text), headers };
}

/** One of several tags, each of which a proxy may have made weak by compressing. */
const has = (known: string | null, tag: string): boolean =>
  known?.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, ''))) ?? false;
