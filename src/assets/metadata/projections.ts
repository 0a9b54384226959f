import { badValue } from '../../core/documents/error.ts';
import type { Description } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Reply } from '../../http/reply.ts';
import type { RoomContext } from '../../room/context.ts';
import { hook } from '../../room/hook.ts';
import type { Job } from '../../room/jobs/documents.ts';
import type { Caller } from '../../security/caller.ts';
import { downloadHeaders } from '../../storage/public.ts';
import type { MetadataDocumentValue, MetadataListValue } from './documents.ts';

export type ProjectionDirection = 'incoming' | 'outgoing';

/** A named stylesheet. */
export interface Projection {
  readonly name: string;
  readonly stylesheet: string;
  /** Account of the caller. Undefined: a job. */
  readonly by?: string | undefined;
}

/** Output of a stylesheet. */
interface Projected {
  readonly text: string;
  readonly method: 'xml' | 'html' | 'text';
}

/** Stylesheets between metadata and other documents. */
interface Projections {
  /** Refuses an unknown name. */
  named(reader: Reader, name: string, direction: ProjectionDirection, by?: string): Promise<Projection>;
  /** Transforms metadata. `value`: the document as sent without a projection. */
  outgoing(
    projection: Projection,
    description: Description,
    value: unknown,
    information: { readonly metadataList: MetadataListValue; readonly job?: Job },
  ): Promise<Projected>;
  /** Transforms text into metadata. */
  incoming(projection: Projection, text: string): Promise<MetadataDocumentValue>;
  /** Transforms any document of the service. */
  transform(projection: Projection, document: string): Promise<Projected>;
  /** Refuses an invalid stylesheet. */
  check(call: Caller, name: string, stylesheet: string): Promise<void>;
}

export const projections = hook<Projections>('stylesheets');

/** Whether a parameter names a projection. The projection `default` changes nothing. */
export const namesProjection = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name !== 'default';

/** Undefined: no projection requested, or the identity. */
export async function projectionNamed(
  { hooks }: Pick<RoomContext, 'hooks'>,
  reader: Reader,
  name: string | undefined,
  direction: ProjectionDirection,
  by?: string,
): Promise<Projection | undefined> {
  if (!namesProjection(name)) return undefined;
  return hooks.need(projections).named(reader, name, direction, by);
}

/** Parses a body as metadata by a projection. */
export async function sentThrough(
  { hooks }: Pick<RoomContext, 'hooks'>,
  projection: Projection,
  text: string,
): Promise<MetadataDocumentValue> {
  if (text.trim() !== '') return hooks.need(projections).incoming(projection, text);
  throw new ServiceError('body-missing', { context: 'body', explanation: 'Expected a document for the projection' });
}

/** Decodes an uploaded stylesheet. */
export function stylesheetText(content: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw badValue('body', 'a stylesheet in UTF-8');
  }
}

/** Media types that browsers do not render as a page of this site. */
const types = { xml: 'application/xml', html: 'application/octet-stream', text: 'text/plain' } as const;
const endings = { xml: 'xml', html: 'html', text: 'txt' } as const;

export const projectedReply = ({ name }: Projection, { text, method }: Projected): Reply => ({
  status: 200,
  type: types[method],
  body: text,
  headers: downloadHeaders(`${name}.${endings[method]}`),
});
