import type { NewJob } from '../../../room/jobs/contract.ts';
import {
  describeJob,
  flag,
  type JobDescription,
  listOf,
  type MemoInput,
  type MemoOf,
  number,
  optional,
  text,
} from '../../../room/jobs/memo.ts';
import { transcodeData, transcodeStepMemo } from '../../transcoding/public.ts';
import { shownAddress } from '../sources/source.ts';

const importMemo = {
  /** `shapeId`: shape that the file fills. Undefined: a step makes one. */
  ...transcodeStepMemo,
  /** Component of a placeholder that gets the file. Undefined: the check decides. */
  componentId: optional(text),
  /** Source of the file: an address, a file of a storage, or an upload. */
  address: optional(text),
  fileId: optional(text),
  awaitsUpload: flag,
  /** Whether the shape was there before: what is in the file joins its components. */
  joins: flag,
  filename: optional(text),
  allowReimport: flag,
  growing: flag,
  /** Tags of the shape that a step makes. */
  importTag: listOf(text),
  sidecars: listOf(text),
  /** Projection for XML sidecars. */
  projection: optional(text),
  /** File of the import once it is known. */
  targetId: optional(text),
  /** Whether the job writes the file, so it goes when the job fails. */
  isCopy: flag,
  isWritten: flag,
  /** Whether a component of a placeholder has the file. */
  isAttached: flag,
  /** Whether the check saw only the beginning of a file that grows. */
  isPart: flag,
  /** Whether components have the file. */
  isFilled: flag,
  /** Size and version of a growing source, and since when they are the same. */
  growthSeen: optional(text),
  growthSince: optional(number),
};
export type ImportMemo = MemoOf<typeof importMemo>;
export type ImportFields = typeof importMemo;

/** Import parameters of a route. */
export type ImportRequest = Partial<Omit<MemoInput<ImportFields>, 'address'>> & { readonly uri?: string | undefined };

const tells = ['itemId', 'uri', 'fileId', 'originalFilename', 'tags', 'shapeId'];
const ofItem = { memo: importMemo, tells: [...new Set([...tells, ...transcodeData])] };
const ofShape = { memo: importMemo, tells };

/** Job types that import files. */
export const importJobs = {
  PLACEHOLDER_IMPORT: describeJob('PLACEHOLDER_IMPORT', ofItem),
  RAW_IMPORT: describeJob('RAW_IMPORT', ofItem),
  AUTO_IMPORT: describeJob('AUTO_IMPORT', ofItem),
  SHAPE_IMPORT: describeJob('SHAPE_IMPORT', ofShape),
  ESSENCE_VERSION: describeJob('ESSENCE_VERSION', ofShape),
  SIDECAR_IMPORT: describeJob('SIDECAR_IMPORT', ofShape),
} as const satisfies Readonly<Record<string, JobDescription>>;
export type ImportType = keyof typeof importJobs;

/** Import as a job. Clients see no secrets of its address, and the shape once the job has made it. */
export const newImport = (
  type: ImportType,
  { uri, ...request }: ImportRequest & { readonly itemId: string },
): NewJob<ImportFields> => ({
  job: importJobs[type],
  memo: { ...request, address: uri },
  data: {
    uri: uri === undefined ? undefined : shownAddress(uri),
    originalFilename: request.filename,
    shapeId: undefined,
  },
});
