import { describeJob, type JobMemo, listOf, oneOf, optional, text } from '../../../room/jobs/memo.ts';

export const formats = ['csv', 'xml', 'json'] as const;

export const listJob = describeJob('LIST_ITEMS', {
  memo: {
    destinationUri: text,
    format: oneOf(formats),
    fields: optional(listOf(text)),
    data: optional(listOf(text)),
    p: optional(text),
    /** Undefined: all items. */
    libraryId: optional(text),
    /** Only items that this user or group may read, too. */
    user: optional(text),
    group: optional(text),
    /** Stylesheet that transforms the list. */
    stylesheet: optional(text),
  },
  tells: ['destinationUri', 'outputFormat', 'libraryId', 'exportedUris'],
});
export type ListMemo = JobMemo<typeof listJob>;
