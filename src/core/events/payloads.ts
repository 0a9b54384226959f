/**
 * Payloads of events that the filters of notifications read. Times are milliseconds since the epoch. Type aliases
 * instead of interfaces, because the store takes payloads as records.
 */

/** Change of one field in one place of the metadata. Several values are several entries. */
export interface MetadataChange {
  readonly field: string;
  /** New values. Empty: the field was removed. */
  readonly values: readonly string[];
  readonly language?: string;
  /** Track such as `A1` or `V2`. Undefined: the field belongs to no track. */
  readonly track?: string;
  /** Timespan, as time codes (`250@PAL`, `10.5`). `-INF` and `+INF` for untimed fields. */
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
  /** User who started the job. */
  readonly user?: string;
  readonly started?: number;
  readonly totalSteps?: number;
  /** Number of steps that were begun. */
  readonly currentStepNumber?: number;
  readonly currentStepStatus?: string;
  /** Number of the current step in its job type, such as 90 or 400. Filters use it. */
  readonly step?: number;
  readonly itemId?: string;
  readonly data?: Pairs;
  /** The placeholder notification that it was started with, and what is to be told there. */
  readonly notification?: string;
  readonly notificationData?: Pairs;
};

/** State of a file, which may belong to several shapes and items. */
export type FileState = {
  readonly fileId: string;
  readonly storageId: string;
  readonly shapeId?: readonly string[];
  readonly itemId?: readonly string[];
};

/** New file before its creation, for receivers that may name it. */
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
