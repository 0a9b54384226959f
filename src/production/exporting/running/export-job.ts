import { describeJob, flag, type JobMemo, listOf, number, oneOf, optional, text } from '../../../room/jobs/memo.ts';

/** Places of XMP: in a file beside each file, or in the copies themselves. */
export const xmpPlaces = ['sidecar', 'embedded'] as const;

const targets = ['item', 'shape', 'collection', 'library', 'thumbnail', 'poster'] as const;

export const exportJob = describeJob('EXPORT', {
  memo: {
    target: oneOf(targets),
    /** Id of the exported entity. For a picture the id of its item. */
    id: text,
    /** Id of the item, if a shape is exported. */
    itemId: optional(text),
    destinationUri: text,
    /** Undefined: the original shapes. */
    tags: optional(listOf(text)),
    version: text,
    track: text,
    useOriginalFilename: flag,
    useOriginalComponentFilename: flag,
    metadata: flag,
    /** Projection that transforms the metadata. */
    projection: optional(text),
    /** Place of the metadata as XMP. Undefined: it is not written. */
    xmp: optional(oneOf(xmpPlaces)),
    /** Whether missing files are skipped. Otherwise the job fails. */
    lenient: flag,
    /** Name of the export location. Undefined: files keep their names. */
    locationName: optional(text),
    /** Name of the folder of a bag. Undefined: the files are no bag. */
    bag: optional(text),
    /** Name of the template that defines the files and their names. */
    template: optional(text),
    /** Start and end of a part of the media, in microseconds. */
    start: optional(number),
    end: optional(number),
    /** For pictures: essence version, instant in microseconds, and media type of the result. */
    pictured: optional(number),
    instant: optional(number),
    type: optional(text),
  },
  tells: [
    ...['itemId', 'shapeId', 'collectionId', 'libraryId', 'destinationUri', 'locationName', 'template', 'tags'],
    'exportedUris',
  ],
});
export type ExportMemo = JobMemo<typeof exportJob>;

/** Whether a thumbnail or a poster is exported: those are no files of the item. */
export const isPicture = ({ target }: Pick<ExportMemo, 'target'>): boolean =>
  target === 'thumbnail' || target === 'poster';

/** Whether only a part of the media is exported. */
export const isPart = ({ start, end }: Pick<ExportMemo, 'start' | 'end'>): boolean =>
  start !== undefined || end !== undefined;
