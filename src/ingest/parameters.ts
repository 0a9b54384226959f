import { badParameter, flag, list, type QueryOf, text, whole } from '../http/parameters/index.ts';
import type { Memo } from '../jobs/job-type.ts';
import { jobParameters } from '../jobs/parameters.ts';
import { hasCredentials } from './sources/source.ts';
import type { ImportWish } from './steps/wanted.ts';

/** Query parameters of all imports about the work after the file's transfer. */
export const workParameters = {
  tag: list(text('The shape tags that the new shape is transcoded to; "original" makes only its pictures')),
  original: text('One of the tags: its shape becomes the original of the item'),
  'no-transcode': flag('Transcodes nothing: the tags only say which pictures are made', false),
  createThumbnails: flag('Makes thumbnails where something is transcoded'),
  thumbnails: flag('The same as createThumbnails, for older clients'),
  createPosters: list(text('Time codes of which posters are made')),
  thumbnailService: text('The resource that keeps the thumbnails'),
  overrideFastStart: flag('Moves the index of a file to its beginning where its tag does not say so', true),
  requireFastStart: flag('Makes files whose index is at their beginning', true),
  fastStartLength: whole('Seconds of the file whose index is kept at its beginning'),
  storageId: text('The storage that takes the new file'),
  resourceId: text('The transcoder that does the work'),
  growing: flag('The file still grows: later steps begin before it is closed', false),
  ...jobParameters,
};

/** Query parameters of imports that make a shape. */
export const importParameters = {
  ...workParameters,
  importTag: list(text('The tags of the new shape; "original" where none is given')),
};

export const addressParameters = {
  uri: text('The address of the file'),
  URL: text('The same as uri, for older clients'),
  fileId: text('A file of a storage instead of an address'),
};

export type WorkQuery = QueryOf<typeof workParameters>;

/** Job parameters of the query. */
export function wishFrom(query: WorkQuery): ImportWish {
  const tags = query.tag ?? [];
  const { original, storageId, growing } = query;
  if (original !== undefined && !tags.includes(original)) {
    throw badParameter('original', 'Expected one of the values of tag', original);
  }
  return {
    ...(original !== undefined && { original }),
    ...(storageId !== undefined && { storageId }),
    growing,
    transcodes: tags.length > 0 && !query['no-transcode'],
    others: othersFrom(query, tags),
  };
}

/** By the names under which the steps of transcoding read them. */
function othersFrom(query: WorkQuery, tags: readonly string[]): Memo {
  const { createThumbnails = query.thumbnails ?? true, createPosters, resourceId } = query;
  return {
    ...(tags.length > 0 && { tags: tags.join(',') }),
    createThumbnails,
    ...(createPosters && { createPosters: createPosters.join(',') }),
    ...(resourceId !== undefined && { resourceId }),
  };
}

interface AddressQuery {
  readonly uri: string | undefined;
  readonly URL: string | undefined;
  readonly fileId?: string | undefined;
}

/** Source of an import: an address or a file of a storage. Secrets in addresses are not stored. */
export function addressFrom({ uri: given, URL: older, fileId }: AddressQuery): {
  readonly uri?: string;
  readonly fileId?: string;
} {
  const uri = given ?? older;
  if ((uri === undefined) === (fileId === undefined)) {
    throw badParameter(
      'uri',
      `Expected ${uri === undefined ? 'the address of the file' : 'an address, or a file, and not both'}`,
    );
  }
  if (uri === undefined) return { fileId: fileId! };
  if (uri === '') throw badParameter('uri', 'Expected the address of the file');
  if (hasCredentials(uri)) {
    throw badParameter('uri', 'Expected an address without name and password: a storage method keeps them');
  }
  return { uri };
}
