import { type Description, xsdParts } from '../../core/documents/index.ts';
import { joined } from '../../core/lib/bytes.ts';
import { textStream } from '../../core/lib/text-stream.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { apiVersion } from '../../core/lib/version.ts';
import { bytesReply } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { type ApiForm, openApiParts } from '../../http/openapi/index.ts';
import { choice } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { anyCaller, type Route, route } from '../../http/route.ts';

interface Parts {
  routes(): readonly Route[];
  readonly documents: readonly Description[];
  readonly settings: { readonly schemaNamespace: string };
  fingerprint(text: string): string;
}

/** A text that does not change while the service runs. */
export interface FixedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A digest of them. */
  readonly version: string;
}

/** Descriptions of the API, generated at the first request. */
export interface ApiDescription {
  openApiText(form?: ApiForm): Promise<FixedText>;
  xsdText(): Promise<FixedText>;
}

/** Parts generated between two yields to the event loop, so that other requests are not delayed. */
const slice = 20;

export function createDescription(parts: Parts): ApiDescription {
  const { routes, documents, settings } = parts;
  const namespace = settings.schemaNamespace;
  const version = apiVersion;
  const openApi = (form: ApiForm) =>
    fixedTextOnce(parts, () => openApiParts({ routes: routes(), documents, version, namespace, form }));
  const texts = { all: openApi('all'), json: openApi('json') };
  return {
    openApiText: (form = 'all') => texts[form](),
    xsdText: fixedTextOnce(parts, () => xsdParts(documents, namespace)),
  };
}

/**
 * A text that the first request for it makes. Requests that come while it is made make it together, each the next slice
 * in its own turn. None of them waits for a promise of another one: on an edge, that is not allowed.
 */
export function fixedTextOnce(
  { fingerprint }: Pick<Parts, 'fingerprint'>,
  parts: () => Generator<string, void>,
): () => Promise<FixedText> {
  let making: Making | undefined;
  let fixed: FixedText | undefined;
  return async () => {
    while (fixed === undefined) {
      await yieldTurn();
      if (fixed !== undefined) break;
      const mine = making ?? { parts: parts(), slices: [], digests: '' };
      // Lets the next request begin again after a failure.
      making = undefined;
      if (isMade(mine, fingerprint)) fixed = { bytes: joined(mine.slices), version: fingerprint(mine.digests) };
      else making = mine;
    }
    return fixed;
  };
}

function isMade(making: Making, fingerprint: Parts['fingerprint']): boolean {
  let text = '';
  let left = slice;
  let isDone = false;
  for (; left > 0 && !isDone; left--) {
    const { done, value } = making.parts.next();
    isDone = done === true;
    text += value ?? '';
  }
  making.slices.push(new TextEncoder().encode(text));
  making.digests += fingerprint(text);
  return isDone;
}

interface Making {
  readonly parts: Generator<string, void>;
  readonly slices: Uint8Array[];
  digests: string;
}

/** Routes of the API descriptions, from which clients are generated. */
export const descriptionRoutes = (description: ApiDescription): readonly Route[] => [
  route({
    method: 'GET',
    path: '/openapi.json',
    says: 'The OpenAPI 3.1 document of this API.',
    access: anyCaller,
    query: {
      form: choice(
        'With json, bodies and answers have JSON alone where there is JSON, and calls without it are left out: for generators of clients',
        ['all', 'json'],
        { defaultValue: 'all' },
      ),
    },
    answers: raw('text', ['application/json']),
    handle: async (call) => fixedTextReply(call, call.type, await description.openApiText(call.query.form)),
  }),
  route({
    method: 'GET',
    path: '/schema.xsd',
    says: 'The XML Schema of the documents.',
    access: anyCaller,
    answers: raw('text', ['application/xml']),
    handle: async (call) => fixedTextReply(call, call.type, await description.xsdText()),
  }),
];

/** Answer with a fixed text, revalidated at each use: without a body if the caller has the version. */
export async function fixedTextReply({ request }: Call, type: string, { bytes, version }: FixedText): Promise<Reply> {
  const open = (from: number, end: number) => textStream(piecesBetween(bytes, from, end));
  const headers = { 'cache-control': 'private, no-cache' };
  const reply = await bytesReply(request, { size: bytes.length, type, version, open });
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

const piece = 65_536;

async function* piecesBetween(bytes: Uint8Array, from: number, end: number): AsyncGenerator<Uint8Array, void> {
  for (let at = from; at < end; at += piece) yield bytes.subarray(at, Math.min(at + piece, end));
}
