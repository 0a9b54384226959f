import { badValue } from '../../documents/bad-value.ts';
import { type Description, rootName } from '../../documents/index.ts';
import { documentOfText, readText } from '../../http/body.ts';
import { accountOf, type Call } from '../../http/call.ts';
import type { Reply } from '../../http/reply.ts';
import type { Job } from '../../jobs/documents.ts';
import { ServiceError } from '../../lib/errors.ts';
import { disposition } from '../../media/bytes/downloads/disposition.ts';
import type { House } from '../../room/house.ts';
import type { Reader } from '../../store/statement.ts';
import { runStylesheet, StylesheetFails, type Transformed } from '../../stylesheets/run-stylesheet.ts';
import { missing } from '../attachments/rules.ts';
import { type AttachmentRow, findAttachment } from '../attachments/store.ts';
import { type MetadataDocumentValue, type MetadataListValue, metadataDocument } from '../documents/metadata.ts';
import { exportInformationDocument } from './documents.ts';

/** What carries stylesheets out. */
export type ProjectionParts = Pick<House, 'clock' | 'limits' | 'render'> & {
  readonly settings: { readonly schemaNamespace: string };
};

export type Way = 'incoming' | 'outgoing';

export const nobody = { type: 'projection', id: '' } as const;
export const noun = 'Projection';

/** A stylesheet that somebody keeps under a name. */
export interface Projection {
  readonly name: string;
  readonly stylesheet: string;
  /** The account that asks. Undefined: a job. */
  readonly by?: string | undefined;
}

/** The names of projections. */
export const fits = /^[_A-Za-z]\w{0,31}$/;

/** No other name is looked for: the store refuses some. */
export const findProjection = async (reader: Reader, way: Way, name: string): Promise<AttachmentRow | undefined> =>
  fits.test(name) ? findAttachment(reader, { ...nobody, kind: way, name }) : undefined;

/** Undefined: none is asked for, or that which changes nothing. */
export async function projectionNamed(
  reader: Reader,
  name: string | undefined,
  way: Way,
  by?: string,
): Promise<Projection | undefined> {
  if (name === undefined || name === '' || name === 'default') return undefined;
  const row = await findProjection(reader, way, name);
  if (!row) throw missing(noun, name.slice(0, 80));
  return { name, stylesheet: new TextDecoder().decode(row.content), by };
}

/** A stylesheet as a caller sent it. */
export function stylesheetText(content: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw badValue('body', 'a stylesheet in UTF-8');
  }
}

/** Requests that wait for a stylesheet. Each may take seconds. */
const mostWaiting = 100;
const mostOfOne = 25;
let waiting = 0;
const waitingOf = new Map<string, number>();

/** One more or less that waits. */
function count(by: string | undefined, more: 1 | -1): void {
  waiting += more;
  if (by === undefined) return;
  const left = (waitingOf.get(by) ?? 0) + more;
  if (left === 0) waitingOf.delete(by);
  else waitingOf.set(by, left);
}

function requirePlace({ name, by }: Projection): void {
  const isShare = by !== undefined && (waitingOf.get(by) ?? 0) >= mostOfOne;
  if (!isShare && waiting < mostWaiting) return;
  const whose = isShare ? `${mostOfOne} requests of one account` : `${mostWaiting} requests`;
  const explanation = `Expected at most ${whose} that wait for stylesheets`;
  throw new ServiceError('busy', { type: noun, id: name, explanation }, { 'retry-after': '5' });
}

/** Applies a stylesheet. What is wrong with it, or with what it is given, is the fault of the caller. */
export async function transformed(
  projection: Projection,
  input: string | undefined,
  now: number,
): Promise<Transformed> {
  const { name, stylesheet, by } = projection;
  requirePlace(projection);
  count(by, 1);
  try {
    return await runStylesheet({ stylesheet, input, now, by });
  } catch (error) {
    if (!(error instanceof StylesheetFails)) throw error;
    throw new ServiceError('bad-value', { type: noun, id: name, context: 'stylesheet', explanation: error.message });
  } finally {
    count(by, -1);
  }
}

/** Refuses a stylesheet that cannot be read, before anybody keeps it. */
export const checkStylesheet = async (call: Call, name: string, stylesheet: string, now: number): Promise<void> =>
  void (await transformed({ name, stylesheet, by: accountOf(call) }, undefined, now));

/** Asked only of stylesheets with the word in them: the answer needs a look at all of it. */
const informs = async (projection: Projection, now: number): Promise<boolean> =>
  projection.stylesheet.includes('vsXSLTVersion') && (await transformed(projection, undefined, now)).informs;

/** The namespace that stylesheets of this API are written for, whatever the setting of an instance is. */
const usualNamespace = 'http://xml.vidispine.com/schema/vidispine';

/** The namespace in which a stylesheet expects documents: that of the instance, or the usual one. */
export const namespaceIn = (stylesheet: string, own: string): string =>
  stylesheet.includes(own) || !stylesheet.includes(usualNamespace) ? own : usualNamespace;

/** The document in the namespace that the stylesheet knows. The first declaration is that of the root. */
function knownTo(stylesheet: string, document: string, own: string): string {
  const namespace = namespaceIn(stylesheet, own);
  return namespace === own ? document : document.replace(/ xmlns="[^"]*"/, () => ` xmlns="${namespace}"`);
}

/** What a projection makes of metadata. `value` is as others are told it. */
export async function outgoing(
  { clock, render, settings }: ProjectionParts,
  projection: Projection,
  description: Description,
  value: unknown,
  information: { readonly metadataList: MetadataListValue; readonly job?: Job },
): Promise<Transformed> {
  const now = clock.now();
  const all = await informs(projection, now);
  const { body } = all
    ? render('application/xml', exportInformationDocument, information)
    : render('application/xml', description, value as never);
  return throughStylesheet({ clock, settings }, projection, [body as string | readonly string[]].flat().join(''));
}

/** What a stylesheet makes of a document of the service. */
export const throughStylesheet = (
  { clock, settings }: Pick<ProjectionParts, 'clock' | 'settings'>,
  projection: Projection,
  document: string,
): Promise<Transformed> =>
  transformed(projection, knownTo(projection.stylesheet, document, settings.schemaNamespace), clock.now());

/** As browsers take nothing for a page that stylesheets make. */
const types = { xml: 'application/xml', html: 'application/octet-stream', text: 'text/plain' } as const;
const endings = { xml: 'xml', html: 'html', text: 'txt' } as const;

export const projectedReply = ({ name }: Projection, { text, method }: Transformed): Reply => ({
  status: 200,
  type: types[method],
  body: text,
  headers: { 'content-disposition': disposition(`${name}.${endings[method]}`), 'x-content-type-options': 'nosniff' },
});

/** What a stylesheet made instead of a document. */
export const foundIn = (root: string | undefined): string => (root === undefined ? 'no element' : `<${root}>`);

/** Characters of a result in which its root begins. */
const mostAhead = 65_536;

/** The root of what a stylesheet made. It may make any number of comments before it. */
export const rootOf = (text: string): string | undefined => rootName(text.slice(0, mostAhead));

/** The metadata that a projection makes of a text. */
export async function incoming(
  { clock, limits }: ProjectionParts,
  projection: Projection,
  text: string,
): Promise<MetadataDocumentValue> {
  const made = await transformed(projection, text, clock.now());
  if (made.text.length > limits.bytes) {
    const explanation = `Expected at most ${limits.bytes} characters of the projection "${projection.name}": found ${made.text.length}`;
    throw new ServiceError('bad-document', { context: 'body', explanation });
  }
  const root = rootOf(made.text);
  if (root !== 'MetadataDocument') {
    const explanation = `Expected a MetadataDocument of the projection "${projection.name}": found ${foundIn(root)}`;
    throw new ServiceError('bad-document', { context: 'body', explanation });
  }
  try {
    return await documentOfText(made.text, metadataDocument, limits);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { context, explanation } = error.detail;
    const says = `Expected a MetadataDocument of the projection "${projection.name}": ${explanation}`;
    throw new ServiceError('bad-document', { ...(context !== undefined && { context }), explanation: says });
  }
}

/** The metadata that a body is, or that a projection makes of it. */
export async function sentThrough(
  parts: ProjectionParts,
  call: Call,
  projection: Projection,
): Promise<MetadataDocumentValue> {
  const text = await readText(call.request, call.body, parts.limits.bytes);
  if (text.trim() !== '') return incoming(parts, projection, text);
  throw new ServiceError('body-missing', { context: 'body', explanation: 'Expected a document for the projection' });
}
