/**
 * What is said about things whose events the filters of notifications read. Times are milliseconds since the epoch. Aliases and no
 * interfaces, because the store takes payloads as records.
 */

/** What a change set did to one field, in one place of the metadata: several values are several entries. */
export interface MetadataChange {
  readonly field: string;
  /** What it holds now; none: it was removed. */
  readonly values: readonly string[];
  readonly language?: string;
  /** `A1`, `V2`; none: the field belongs to no track. */
  readonly track?: string;
  /** The timespan, as time codes (`250@PAL`, `10.5`); `-INF` and `+INF` for what is not timed. */
  readonly start: string;
  readonly end: string;
}

type ChangeSet = {
  readonly changeSetId: string;
  readonly changes: readonly MetadataChange[];
};
export type ItemChange = ChangeSet & { readonly itemId: string };
export type CollectionChange = ChangeSet & { readonly collectionId: string };

/** Pairs and no object: a key may come again, and callers choose the keys. */
export type Pairs = readonly (readonly [key: string, value: string])[];

/** A job as it is when the event happens. */
export type JobState = {
  readonly jobId: string;
  readonly type: string;
  readonly status: string;
  /** Who started it. */
  readonly user?: string;
  readonly started?: number;
  readonly totalSteps?: number;
  /** Counts the steps that were begun. */
  readonly currentStepNumber?: number;
  readonly currentStepStatus?: string;
  /** The number that the current step has in the table of its job type: 90, 400. Filters ask for it. */
  readonly step?: number;
  readonly itemId?: string;
  readonly data?: Pairs;
  /** The placeholder notification that it was started with, and what is to be told there. */
  readonly notification?: string;
  readonly notificationData?: Pairs;
};

/** One file may belong to several shapes and items. */
export type FileState = {
  readonly fileId: string;
  readonly storageId: string;
  readonly shapeId?: readonly string[];
  readonly itemId?: readonly string[];
};

/** A file that is about to be created, for who may name it. */
export type FileName = {
  readonly storageId: string;
  readonly fileId: string;
  readonly itemId?: string;
  readonly shapeId?: string;
  readonly componentId?: string;
  readonly username?: string;
  /** The metadata of the item, as a MetadataDocument in XML. */
  readonly metadata?: string;
  readonly shapeTag?: readonly string[];
};
