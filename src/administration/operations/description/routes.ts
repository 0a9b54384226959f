import { textStream } from '../../../core/lib/text-stream.ts';
import { bytesReply } from '../../../http/bytes.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import type { Reply } from '../../../http/reply.ts';
import { anyCaller, type Route, route } from '../../../http/route.ts';
import type { ApiDescription, FixedText } from './texts.ts';

/** Routes of the API descriptions, from which clients are generated. */
export const descriptionRoutes = (description: ApiDescription): readonly Route[] => [
  route({
    method: 'GET',
    path: '/openapi.json',
    says: 'The OpenAPI 3.1 document of this API.',
    access: anyCaller,
    answers: raw('text', ['application/json']),
    handle: async (call) => fixed(call, call.type, await description.openApiText()),
  }),
  route({
    method: 'GET',
    path: '/schema.xsd',
    says: 'The XML Schema of the documents.',
    access: anyCaller,
    answers: raw('text', ['application/xml']),
    handle: async (call) => fixed(call, call.type, await description.xsdText()),
  }),
];

/** Answer with a fixed text, revalidated at each use: without a body if the caller has the version. */
export async function fixed({ request }: Call, type: string, { bytes, version }: FixedText): Promise<Reply> {
  const open = (from: number, end: number) => textStream(piecesBetween(bytes, from, end));
  const headers = { 'cache-control': 'private, no-cache' };
  const reply = await bytesReply(request, { size: bytes.length, type, version, open });
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

const piece = 65_536;

async function* piecesBetween(bytes: Uint8Array, from: number, end: number): AsyncGenerator<Uint8Array, void> {
  for (let at = from; at < end; at += piece) yield bytes.subarray(at, Math.min(at + piece, end));
}
