import { badParameter, flag, list, type QueryOf, text, whole } from '../../http/parameters/index.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import { stillTimes } from '../transcoding/public.ts';
import { hasCredentials } from './sources/source.ts';
import type { ImportRequest } from './steps/import-job.ts';

/** Query parameters of all imports about the work after the file's transfer. */
export const workParameters = {
  tag: list(text('Shape tags to transcode the new shape to. "original" creates only thumbnails')),
  original: text('Tag whose shape becomes the original of the item'),
  'no-transcode': flag('Only creates thumbnails for the tags, without transcoding', false),
  createThumbnails: flag('Creates thumbnails if the job transcodes'),
  thumbnails: flag('The same as createThumbnails, for older clients'),
  createPosters: list(text('Time codes of the posters')),
  thumbnailService: text('Resource for the thumbnails'),
  overrideFastStart: flag(
    'Moves the index of a file to its beginning, even if its shape tag does not require it',
    true,
  ),
  requireFastStart: flag('Writes the index at the beginning of files', true),
  fastStartLength: whole('Seconds of media whose index is kept at the beginning of the file'),
  storageId: text('Storage of the new file'),
  resourceId: text('Transcoder for the job'),
  growing: flag('The file is still growing: later steps start before it is closed', false),
  ...jobParameters,
};

/** Query parameters of imports that make a shape. */
export const importParameters = {
  ...workParameters,
  importTag: list(text('Tags of the new shape. Default: "original"')),
};

export const addressParameters = {
  uri: text('The address of the file'),
  URL: text('The same as uri, for older clients'),
  fileId: text('A file of a storage instead of an address'),
};

export type WorkQuery = QueryOf<typeof workParameters>;

/** Job parameters of the query. */
export function importRequestFrom(query: WorkQuery): ImportRequest {
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
    tags,
    thumbnails: (query.createThumbnails ?? query.thumbnails ?? true) ? 'regular' : 'none',
    posters: stillTimes((query.createPosters ?? []).join(',')),
  };
}

interface AddressQuery {
  readonly uri: string | undefined;
  readonly URL: string | undefined;
  readonly fileId?: string | undefined;
}

/** Source of an import: an address or a file of a storage. Secrets in addresses are not stored. */
export function addressFrom({ uri: uriText, URL: older, fileId }: AddressQuery): {
  readonly uri?: string;
  readonly fileId?: string;
} {
  const uri = uriText ?? older;
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
