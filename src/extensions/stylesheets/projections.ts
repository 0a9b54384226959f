import {
  type AttachmentRow,
  findAttachment,
  missingAttachment as missing,
  type Projection,
  type ProjectionDirection,
  projections,
} from '../../assets/metadata/public.ts';
import {
  type MetadataDocumentValue,
  type MetadataListValue,
  metadataDocument,
  metadataList,
} from '../../assets/metadata/public-reading.ts';
import { document, element } from '../../core/documents/describe.ts';
import { type Description, rootName } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import { documentOfText } from '../../http/body.ts';
import type { RoomContext } from '../../room/context.ts';
import { hooked } from '../../room/hook.ts';
import type { Job } from '../../room/jobs/documents.ts';
import { jobFields } from '../../room/jobs/documents.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import { runStylesheet, StylesheetFails, type Transformed } from './processor/run-stylesheet.ts';

/** Input of an outgoing stylesheet with vsXSLTVersion 2. */
export const exportInformationDocument = document('ExportInformationDocument', {
  metadataList: element(metadataList),
  job: element(jobFields).says('Job that writes the result of an export.'),
});

/** Services needed to run stylesheets. */
type ProjectionParts = Pick<RoomContext, 'clock' | 'limits' | 'render'> & {
  readonly settings: { readonly schemaNamespace: string };
};

export const nobody = { type: 'projection', id: '' } as const;
export const noun = 'Projection';

/** Syntax of projection names. */
export const fitsLimits = /^[_A-Za-z]\w{0,31}$/;

/** Finds a projection. Invalid names are not looked up, since the store refuses some. */
export const findProjection = async (
  reader: Reader,
  way: ProjectionDirection,
  name: string,
): Promise<AttachmentRow | undefined> =>
  fitsLimits.test(name) ? findAttachment(reader, { ...nobody, kind: way, name }) : undefined;

/** Limit of requests that wait for stylesheets, since each may take seconds. */
const maxWaiting = 100;
const maxOfOne = 25;
let waiting = 0;
const waitingOf = new Map<string, number>();

/** Counts a waiting request in or out. */
function count(by: string | undefined, more: 1 | -1): void {
  waiting += more;
  if (by === undefined) return;
  const left = (waitingOf.get(by) ?? 0) + more;
  if (left === 0) waitingOf.delete(by);
  else waitingOf.set(by, left);
}

function requirePlace({ name, by }: Projection): void {
  const isShare = by !== undefined && (waitingOf.get(by) ?? 0) >= maxOfOne;
  if (!isShare && waiting < maxWaiting) return;
  const whose = isShare ? `${maxOfOne} requests of one account` : `${maxWaiting} requests`;
  const explanation = `Expected at most ${whose} that wait for stylesheets`;
  throw new ServiceError('busy', { type: noun, id: name, explanation }, { 'retry-after': '5' });
}

/** Runs a stylesheet. Errors in the stylesheet or its input are refused as the caller's. */
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

/** Refuses an invalid stylesheet before it is stored. */
export const checkStylesheet = async (call: Caller, name: string, stylesheet: string, now: number): Promise<void> =>
  void (await transformed({ name, stylesheet, by: accountOf(call) }, undefined, now));

/** Whether a stylesheet wants export information. The text search avoids compiling most stylesheets. */
const informs = async (projection: Projection, now: number): Promise<boolean> =>
  projection.stylesheet.includes('vsXSLTVersion') && (await transformed(projection, undefined, now)).informs;

/** Standard namespace of the API, for which stylesheets are written whatever the instance uses. */
const defaultNamespace = 'http://xml.vidispine.com/schema/vidispine';

/** Namespace that a stylesheet expects: that of the instance, or the standard one. */
export const namespaceIn = (stylesheet: string, own: string): string =>
  stylesheet.includes(own) || !stylesheet.includes(defaultNamespace) ? own : defaultNamespace;

/** Rewrites the namespace declaration of the root, which is the first one. */
function knownTo(stylesheet: string, document: string, own: string): string {
  const namespace = namespaceIn(stylesheet, own);
  return namespace === own ? document : document.replace(/ xmlns="[^"]*"/, () => ` xmlns="${namespace}"`);
}

/** Applies a projection to metadata. `value`: the document as sent without a projection. */
async function outgoing(
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

/** Runs a stylesheet on a document of the service. */
const throughStylesheet = (
  { clock, settings }: Pick<ProjectionParts, 'clock' | 'settings'>,
  projection: Projection,
  document: string,
): Promise<Transformed> =>
  transformed(projection, knownTo(projection.stylesheet, document, settings.schemaNamespace), clock.now());

/** Root element in the output, for refusals. */
export const foundIn = (root: string | undefined): string => (root === undefined ? 'no element' : `<${root}>`);

/** Characters in which the root element must begin. */
const maxAhead = 65_536;

/** Root element of the output. Comments may precede it. */
export const rootOf = (text: string): string | undefined => rootName(text.slice(0, maxAhead));

/** Parses text into metadata by a projection. */
export async function incoming(
  { clock, limits }: ProjectionParts,
  projection: Projection,
  text: string,
): Promise<MetadataDocumentValue> {
  const output = await transformed(projection, text, clock.now());
  if (output.text.length > limits.bytes) {
    const explanation = `Expected at most ${limits.bytes} characters of the projection "${projection.name}": found ${output.text.length}`;
    throw new ServiceError('bad-document', { context: 'body', explanation });
  }
  const root = rootOf(output.text);
  if (root !== 'MetadataDocument') {
    const explanation = `Expected a MetadataDocument of the projection "${projection.name}": found ${foundIn(root)}`;
    throw new ServiceError('bad-document', { context: 'body', explanation });
  }
  try {
    return await documentOfText(output.text, metadataDocument, limits);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { context, explanation } = error.detail;
    const says = `Expected a MetadataDocument of the projection "${projection.name}": ${explanation}`;
    throw new ServiceError('bad-document', { ...(context !== undefined && { context }), explanation: says });
  }
}

/** Projections for rooms of the core. */
export const projectionsHook = (parts: ProjectionParts) =>
  hooked(projections, {
    async named(reader, name, direction, by) {
      const row = await findProjection(reader, direction, name);
      if (!row) throw missing(noun, name.slice(0, 80));
      return { name, stylesheet: new TextDecoder().decode(row.content), by };
    },
    outgoing: (...given) => outgoing(parts, ...given),
    incoming: (...given) => incoming(parts, ...given),
    transform: (...given) => throughStylesheet(parts, ...given),
    check: (call, name, stylesheet) => checkStylesheet(call, name, stylesheet, parts.clock.now()),
  });
