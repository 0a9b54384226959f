import type * as types from '../types.ts';

/** The calls of the API. `npm run docs` writes this file from its routes. */

export interface Call<Query, Body, Answer> {
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** Parameters that no route declares: some take others, too. */
type None = Readonly<Record<never, never>>;
type Bytes = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Parameters of several calls. */
interface Shared {
  /** The same as uri, for older clients */
  readonly URL?: string | undefined;
  /** Whether the maker of the link has the role _usage_override */
  readonly above?: boolean | undefined;
  /** The algorithm of the hashes */
  readonly algorithm?: string | undefined;
  /** Shares of all users, for administrators */
  readonly all?: boolean | undefined;
  /** False: an equal entry gets the new level */
  readonly allowDuplicate?: boolean | undefined;
  /** Missing shapes are skipped. False: they fail the job */
  readonly allowMissing?: boolean | undefined;
  /** Allows a file that a component has */
  readonly allowReimport?: boolean | undefined;
  /** Only annotations that are assigned to this user */
  readonly assignedTo?: string | undefined;
  /** Deletes them as a job, and answers the job */
  readonly async?: boolean | undefined;
  /** The only attributes of the answer, with commas between */
  readonly attributes?: string | undefined;
  /** Number of expected audio components */
  readonly audio?: number | undefined;
  /** Each use of the token restarts its lifetime */
  readonly autoRefresh?: boolean | undefined;
  /** Writes the files, their metadata and their SHA-256 into a new folder as a bag of BagIt 1.0 */
  readonly bag?: boolean | undefined;
  /** Bits per second */
  readonly bandwidth?: number | undefined;
  /** Base address of pictures, instead of the address of this service */
  readonly baseURI?: string | undefined;
  /** Next page: "next" of the previous page */
  readonly before?: string | undefined;
  /** The colour of the background, such as #ffffff or ffffff */
  readonly bgcolor?: string | undefined;
  /** Number of expected binary components */
  readonly binary?: number | undefined;
  /** Only methods for scans */
  readonly browse?: boolean | undefined;
  /** Only the change set with this id */
  readonly change?: string | undefined;
  /** Channel of the stream, from 0. Default: all */
  readonly channel?: number | undefined;
  /** Only addresses of closed files */
  readonly closedFiles?: boolean | undefined;
  /** False: of conflicting values, only the newest */
  readonly conflict?: boolean | undefined;
  /** Number of expected container components */
  readonly container?: number | undefined;
  /** Content of each item in the answer */
  readonly content?: readonly ('metadata' | 'uri' | 'shape' | 'poster' | 'thumbnail' | 'access' | 'merged-access' | 'external' | 'usage')[] | undefined;
  /** Whether the answer has the total number of hits. "bounded": up to some thousands, with "moreHits" where there may be more */
  readonly count?: 'true' | 'false' | 'bounded' | undefined;
  /** Refuses a path that already has a file. False: that file is changed */
  readonly createOnly?: boolean | undefined;
  /** Time codes of the posters */
  readonly createPosters?: readonly string[] | undefined;
  /** Creates thumbnails if the job transcodes */
  readonly createThumbnails?: boolean | undefined;
  /** When it was created, if it comes from another system. Only for administrators */
  readonly created?: string | undefined;
  /** "*" starts a list. For the next page: "nextCursor" of the previous answer. A page with fewer entries than asked for is the last one. It replaces "first" */
  readonly cursor?: string | undefined;
  /** Values in decibels */
  readonly dB?: boolean | undefined;
  /** Keys of the metadata to answer; "*" stands for any characters, "all" for every key */
  readonly data?: readonly string[] | undefined;
  /** Adds the default values of fields that have no value */
  readonly defaultValue?: boolean | undefined;
  /** The item that gets the shapes */
  readonly destinationItem?: string | undefined;
  /** Destination of the list. A slash at its end makes it a folder */
  readonly destinationUri: string;
  /** Direction of the relations, from the item */
  readonly direction?: 'A' | 'U' | 'S' | 'T' | undefined;
  /** Only the disabled users, only the others, or all */
  readonly disabled?: 'true' | 'false' | 'all' | undefined;
  /** Adds the name of the entity as the computed field `__name`. To name it in `field` does so, too */
  readonly displayName?: boolean | undefined;
  /** Counts the events and sends none */
  readonly dryRun?: boolean | undefined;
  /** The file stays at the old path, too */
  readonly duplicate?: boolean | undefined;
  /** Minutes until the link expires */
  readonly duration?: number | undefined;
  /** "keep": an empty cell leaves the field as it is. "clear": it removes the values */
  readonly empty?: 'keep' | 'clear' | undefined;
  /** A time code */
  readonly end?: string | undefined;
  /** Only the entries before this time */
  readonly endtime?: string | undefined;
  /** Only the deliveries about this entity */
  readonly entity?: string | undefined;
  /** Leaves out files that a job uses. Lists of importable files always do */
  readonly excludeQueued?: boolean | undefined;
  /** Attributes that the answer leaves out, with commas between */
  readonly excludedAttributes?: string | undefined;
  /** Days for which the files can be read */
  readonly expirationInDays: number;
  /** Expiry of the link, in seconds since the epoch */
  readonly expires?: number | undefined;
  /** Answers how the search was run instead of its result. Only for administrators */
  readonly explain?: boolean | undefined;
  /** External ids of the file */
  readonly externalId?: readonly string[] | undefined;
  /** The field, the shape tag, or the type of the container */
  readonly extradata?: string | undefined;
  /** Seconds of media whose index is kept at the beginning of the file */
  readonly fastStartLength?: number | undefined;
  /** The colour of the waveform, such as #1f4e79 or 1f4e79 */
  readonly fgcolor?: string | undefined;
  /** Fields: "a,b:alias" answers these, "-c" all but this one */
  readonly field?: readonly string[] | undefined;
  /** A file of a storage instead of an address */
  readonly fileId?: string | undefined;
  /** File name in the metadata of the item */
  readonly filename?: string | undefined;
  /** "item": only files of items. "noitem": only other files. Default: all */
  readonly filter?: readonly string[] | undefined;
  /** Index of the first entry, from 1. 0 is the same as 1 */
  readonly first?: number | undefined;
  /** As type, which takes precedence */
  readonly format?: string | undefined;
  /** Waits until the index has metadata that items inherit from collections */
  readonly fresh?: boolean | undefined;
  /** Only values changed at this time or later */
  readonly from?: string | undefined;
  /** Whether to answer all entries, also of groups without users */
  readonly full?: boolean | undefined;
  /** Groups: "a,b:alias" answers these, "a+" with the groups in it, "-c" all but this one */
  readonly group?: readonly string[] | undefined;
  /** A node for each change set, or for each changed field */
  readonly groupBy?: 'change' | 'none' | undefined;
  /** Only the entries for these groups */
  readonly groups?: readonly string[] | undefined;
  /** The file is still growing: later steps start before it is closed */
  readonly growing?: boolean | undefined;
  /** Only files with one of these hashes */
  readonly hash?: readonly string[] | undefined;
  /** Height in pixels */
  readonly height?: number | undefined;
  /** The distance of horizontal lines, in values */
  readonly hgridline?: string | undefined;
  /** The distance of minor horizontal lines, in values */
  readonly hgridline2?: string | undefined;
  /** The colour of minor horizontal lines, such as #909090 or 909090 */
  readonly hgridline2color?: string | undefined;
  /** The colour of horizontal lines, such as #d0d0d0 or d0d0d0 */
  readonly hgridlinecolor?: string | undefined;
  /** The job is on HOLD until PUT /job/{id}?status=READY */
  readonly holdJob?: boolean | undefined;
  /** Only files with these ids */
  readonly id?: readonly string[] | undefined;
  /** External ids of the item */
  readonly ids?: readonly string[] | undefined;
  /** Head of a column that is not read */
  readonly ignore?: readonly string[] | undefined;
  /** Ignores case */
  readonly ignoreCase?: boolean | undefined;
  /** Ignores case of the path */
  readonly ignorecase?: boolean | undefined;
  /** Tags of the new shape. Default: "original" */
  readonly importTag?: readonly string[] | undefined;
  /** "type" adds the definition of each field. Other words add data of the definition */
  readonly include?: readonly string[] | undefined;
  /** No effect: constraints have no values */
  readonly includeConstraintValue?: string | undefined;
  /** Adds the items, shapes and components that use a file */
  readonly includeItem?: boolean | undefined;
  /** Adds the components that placeholders expect */
  readonly includePlaceholder?: boolean | undefined;
  /** Adds computed values */
  readonly includeTransientMetadata?: boolean | undefined;
  /** Adds the enumerations */
  readonly includeValues?: boolean | undefined;
  /** Index among the components of its kind, from 0 */
  readonly index?: number | undefined;
  /** Timespans that overlap an interval such as "10@PAL-20@PAL". "generic": only untimed metadata. "all" */
  readonly interval?: string | undefined;
  /** Only components of this item */
  readonly item?: string | undefined;
  /** The stream by its track, such as A1 */
  readonly itemTrack?: string | undefined;
  /** Data of the job: key=value, percent-encoded */
  readonly jobmetadata?: readonly string[] | undefined;
  /** Files of the shape stay, also those that nothing else uses */
  readonly keepFiles?: boolean | undefined;
  /** The key-value metadata of the replaced component stays */
  readonly keepMetadata?: boolean | undefined;
  /** The files of shapes with these tags stay; "*" keeps all */
  readonly keepShapeTagMedia?: readonly string[] | undefined;
  /** Files on these storages stay; "*" keeps all */
  readonly keepShapeTagStorage?: readonly string[] | undefined;
  /** The "key" of the answer that created the comment */
  readonly key?: string | undefined;
  /** Head of the column that names the items. Default: itemId, or else the first one */
  readonly keyColumn?: string | undefined;
  /** Languages such as "en_US", "*_CA", "none" or "all" */
  readonly language?: readonly string[] | undefined;
  /** Left edge of the rectangle, in pixels of the picture */
  readonly left?: number | undefined;
  /** Only items of this library; "*": of all items */
  readonly library?: string | undefined;
  /** An existing library for the items, instead of a new one */
  readonly libraryId?: string | undefined;
  /** Maximum bytes per second */
  readonly limitRate?: number | undefined;
  /** Name of an export location, instead of an address */
  readonly locationName?: string | undefined;
  /** Value at the upper edge. Default: 1, or 0 in decibels */
  readonly max?: string | undefined;
  /** Maximum number of searches */
  readonly maxResults?: number | undefined;
  /** For merged access: field, shape tag, or type of the container */
  readonly mergedExtradata?: string | undefined;
  /** For merged access: required level */
  readonly mergedPermission?: 'NONE' | 'READ' | 'WRITE' | 'ALL' | 'OWNER' | undefined;
  /** For merged access: kind of operation */
  readonly mergedType?: 'GENERIC' | 'METADATA' | 'SHAPE' | 'URI' | undefined;
  /** Only locks with this metadata: key=value */
  readonly metadata?: readonly string[] | undefined;
  /** Only the requests with this method */
  readonly method?: string | undefined;
  /** Only addresses of methods with this metadata: "key=value" */
  readonly methodMetadata?: readonly string[] | undefined;
  /** Addresses by methods of these types, instead of methods without a type. AUTO: links to this service, which need no credentials and end */
  readonly methodType?: readonly string[] | undefined;
  /** Value at the lower edge. Default: -1, or -60 in decibels */
  readonly min?: string | undefined;
  /** Deletes the source after the copy is verified */
  readonly move?: boolean | undefined;
  /** Only creates thumbnails for the tags, without transcoding */
  readonly 'no-transcode'?: boolean | undefined;
  /** Addresses of pictures that work without credentials */
  readonly 'noauth-url'?: boolean | undefined;
  /** Placeholder notification for events of the job */
  readonly notification?: readonly string[] | undefined;
  /** Data for the notification: key=value, percent-encoded */
  readonly notificationData?: readonly string[] | undefined;
  /** Maximum number of entries, up to 1000 */
  readonly number?: number | undefined;
  /** Only parked events */
  readonly only?: 'parked' | undefined;
  /** Only the effective lock of each entity */
  readonly onlyEffective?: boolean | undefined;
  /** Answers only the groups and fields in the document */
  readonly onlyReturnChanges?: boolean | undefined;
  /** Order of hits without a sort. Default: by the property indexCollectionItemOrder */
  readonly order?: 'collection' | 'creation' | undefined;
  /** Tag whose shape becomes the original of the item */
  readonly original?: string | undefined;
  /** The same, as older clients write it */
  readonly 'output-project'?: string | undefined;
  /** Projection whose outgoing stylesheet transforms the answer */
  readonly 'output-projection'?: string | undefined;
  /** A line for each item, or an ItemListDocument */
  readonly outputFormat?: 'csv' | 'xml' | 'json' | undefined;
  /** Seconds until the previous secret expires */
  readonly overlap?: number | undefined;
  /** Moves the index of a file to its beginning, even if its shape tag does not require it */
  readonly overrideFastStart?: boolean | undefined;
  /** The user who owns it, if it comes from another system. Only for administrators */
  readonly owner?: string | undefined;
  /** Only these parts: comma-separated paths such as metadata.timespan[start=-INF].field[name=title].value.value. They replace content and filters */
  readonly p?: string | undefined;
  /** Passkey from the answer of POST /import/raw-passkey or a similar route */
  readonly passkey?: string | undefined;
  /** Form of the password: plain text */
  readonly passwordType?: 'raw' | undefined;
  /** Only files in this folder, and the file with this path */
  readonly path?: string | undefined;
  /** The required level */
  readonly permission?: 'NONE' | 'READ' | 'WRITE' | 'ALL' | 'OWNER' | undefined;
  /** Image format of posters */
  readonly posterFormat?: 'jpeg' | 'jpg' | 'png' | undefined;
  /** Maximum height of a poster, in pixels */
  readonly posterHeight?: number | undefined;
  /** Maximum width of a poster, in pixels */
  readonly posterWidth?: number | undefined;
  /** Adds the folders at the next level */
  readonly prefix?: boolean | undefined;
  /** Index of the first folder, from 0 */
  readonly prefixFirst?: number | undefined;
  /** Maximum number of folders */
  readonly prefixNumber?: number | undefined;
  /** Priority of the job. IMMEDIATE and HIGHEST need the role _job_write. Default: that of its type, or else medium */
  readonly priority?: 'immediate' | 'highest' | 'high' | 'medium' | 'low' | 'lowest' | undefined;
  /** Projection whose outgoing stylesheet transforms the answer, for metadata of one entity */
  readonly projection?: string | undefined;
  /** An ItemSearchDocument, as XML or as JSON */
  readonly q?: string | undefined;
  /** Only locks that expire in this range: [d..d], (d..d), (*..d] or [d..*) */
  readonly range?: string | undefined;
  /** Only methods for reading */
  readonly read?: boolean | undefined;
  /** Reason, shown in the health */
  readonly reason?: string | undefined;
  /** Includes subfolders */
  readonly recursive?: boolean | undefined;
  /** Metadata field with the reels of items, by which clips are found */
  readonly reelField?: string | undefined;
  /** Only the requests that were refused or failed: with a status of 400 or more */
  readonly refused?: boolean | undefined;
  /** Writes the index at the beginning of files */
  readonly requireFastStart?: boolean | undefined;
  /** Transcoder, stored in the data of the job */
  readonly resourceId?: string | undefined;
  /** Preferred place of the job, stored in its data */
  readonly resourceTag?: readonly string[] | undefined;
  /** "library" stores the result and the query as a library */
  readonly result?: 'list' | 'library' | undefined;
  /** Speed of the restore. Default: that of the storage, Standard in S3 */
  readonly retrievalTier?: string | undefined;
  /** Comma-separated ids of change sets: the metadata of that revision */
  readonly revision?: string | undefined;
  /** Only the groups that are roles, or only the others */
  readonly role?: boolean | undefined;
  /** Maximum number of entries, up to 1000 */
  readonly rows?: number | undefined;
  /** Alias of "samplerate" */
  readonly sampleRate?: string | undefined;
  /** The time base of all times in the answer: "PAL", "25", "30000:1001" */
  readonly samplerate?: string | undefined;
  /** Answers the address of the saved search instead of its result */
  readonly save?: boolean | undefined;
  /** Only addresses of these schemes, such as "http" */
  readonly scheme?: readonly string[] | undefined;
  /** How long the token is valid, until the login ends by which it is requested */
  readonly seconds?: number | undefined;
  /** Separator of the values. Default: the one that the first line has most of */
  readonly separator?: 'comma' | 'semicolon' | 'tab' | undefined;
  /** The profile whose access entries the item gets */
  readonly settings?: string | undefined;
  /** The shape. Default: the shape with the tag, or the original */
  readonly shape?: string | undefined;
  /** The placeholder shape. Default: the first one of the item */
  readonly shapeId?: string | undefined;
  /** Signature of the link */
  readonly signature?: string | undefined;
  /** Only the deliveries that began at this time or later */
  readonly since?: string | undefined;
  /** Leaves out fields that the caller may not write, instead of refusing them */
  readonly skipForbidden?: boolean | undefined;
  /** What the list is ordered by: fileId, size, state, timestamp, filename, extension, and then "asc" or "desc" */
  readonly sort?: string | undefined;
  /** Default direction of "sort" */
  readonly 'sort-order'?: 'asc' | 'desc' | undefined;
  /** Attribute that orders the list: the name, or `meta.lastModified` */
  readonly sortBy?: string | undefined;
  /** Order of the list */
  readonly sortOrder?: 'ascending' | 'descending' | undefined;
  /** Shape of each item: the first one with one of these tags. Default: the original */
  readonly sourceTag?: readonly string[] | undefined;
  /** Alias of "first" */
  readonly start?: number | undefined;
  /** Position of the first resource, from 1 */
  readonly startIndex?: string | undefined;
  /** Adds the start time code of the item to all times */
  readonly starttc?: boolean | undefined;
  /** Only the entries from this time on */
  readonly starttime?: string | undefined;
  /** Only the deliveries with this outcome */
  readonly state?: 'delivered' | 'failed' | 'parked' | 'dropped' | 'vetoed' | undefined;
  /** The browser keeps the cookie until the session ends, after userSessionMost at most */
  readonly stay?: boolean | undefined;
  /** Only files on these storages */
  readonly storage?: readonly string[] | undefined;
  /** Only files on storages in these groups */
  readonly storageGroup?: readonly string[] | undefined;
  /** Storage of the new file */
  readonly storageId?: string | undefined;
  /** Only addresses on storages of these types */
  readonly storageType?: readonly string[] | undefined;
  /** Audio stream, from 0. Default: all */
  readonly stream?: number | undefined;
  /** Number of expected subtitle components */
  readonly subtitle?: number | undefined;
  /** Answered 501: no transcoder of this service writes into pictures */
  readonly subtitleLanguage?: string | undefined;
  /** Only shapes with any of these tags */
  readonly tag?: readonly string[] | undefined;
  /** Name of an export template, which selects shapes and names the files in a folder */
  readonly template?: string | undefined;
  /** The terse form: by field, a list of values with their times */
  readonly terse?: boolean | undefined;
  /** Maximum height of a thumbnail, in pixels */
  readonly thumbnailHeight?: number | undefined;
  /** Interval between thumbnails, as a time code */
  readonly thumbnailPeriod?: string | undefined;
  /** Resource for the thumbnails */
  readonly thumbnailService?: string | undefined;
  /** Maximum width of a thumbnail, in pixels */
  readonly thumbnailWidth?: number | undefined;
  /** The same as createThumbnails, for older clients */
  readonly thumbnails?: boolean | undefined;
  /** Seconds before storage rules may move the new file */
  readonly timeRequirement?: number | undefined;
  /** Seconds until the lock expires */
  readonly timeout?: number | undefined;
  /** Start time. Default: now */
  readonly timestamp?: string | undefined;
  /** Only values changed before this time */
  readonly to?: string | undefined;
  /** Top edge of the rectangle */
  readonly top?: number | undefined;
  /** Tracks such as "A1", "A2-4", "A*", "generic" or "all" */
  readonly track?: readonly string[] | undefined;
  /** Name of an upload in parts, equal for all parts. The headers size and index define the part */
  readonly transferId?: string | undefined;
  /** The priority of an upload in parts */
  readonly transferPriority?: number | undefined;
  /** Adds indirect members and groups */
  readonly traverse?: boolean | undefined;
  /** Event of the sample: one that the notification can receive */
  readonly trigger?: string | undefined;
  /** Alias of "uriType" */
  readonly type?: readonly string[] | undefined;
  /** Seconds between automatic refreshes of the library. 0: none */
  readonly updateFrequency?: number | undefined;
  /** How a refresh changes the items of the library */
  readonly updateMode?: 'MERGE' | 'REPLACE' | 'TRANSIENT' | undefined;
  /** Answered 501: the answer is the sequence */
  readonly uri?: string | undefined;
  /** Only files with these endings of their names, such as "mp4" */
  readonly uriType?: readonly string[] | undefined;
  /** Whether a text answer has addresses instead of ids */
  readonly url?: boolean | undefined;
  /** Names files as the originals of their components */
  readonly useOriginalComponentFilename?: boolean | undefined;
  /** Names the new file as the original of its item, with its own extension */
  readonly useOriginalFilename?: boolean | undefined;
  /** The user. Another one than the caller needs `_user_read` */
  readonly user: string;
  /** Only locks of these users */
  readonly username?: readonly string[] | undefined;
  /** Only the entries for these users */
  readonly users?: readonly string[] | undefined;
  /** The uuid of the field or group */
  readonly uuid: string;
  /** "several": values with "; " between. "one": a cell is one value */
  readonly values?: 'several' | 'one' | undefined;
  /** False: values with equal text are equal */
  readonly valuesByUuid?: boolean | undefined;
  /** The essence version. Default: the latest with pictures */
  readonly version?: number | undefined;
  /** The distance of vertical lines, in seconds */
  readonly vgridline?: string | undefined;
  /** The distance of minor vertical lines, in seconds */
  readonly vgridline2?: string | undefined;
  /** The colour of minor vertical lines, such as #909090 or 909090 */
  readonly vgridline2color?: string | undefined;
  /** The colour of vertical lines, such as #d0d0d0 or d0d0d0 */
  readonly vgridlinecolor?: string | undefined;
  /** Number of expected video components */
  readonly video?: number | undefined;
  /** Width in pixels */
  readonly width?: number | undefined;
  /** "*" in the path matches any characters with "/", and "?" one character */
  readonly wildcard?: boolean | undefined;
  /** A link to write the file, instead of reading it */
  readonly write?: boolean | undefined;
  /** Writes the metadata as XMP, by the mapping of imports: beside each file, or into it */
  readonly xmp?: 'sidecar' | 'embedded' | undefined;
}

interface DeleteAPInoauthShareLinkItemItemAnnotationAnnotationQuery extends Pick<Shared, 'key'> {}

interface DeleteCollectionQuery {
  /** The collections, by id or external id */
  readonly id: readonly string[];
}

interface DeleteCollectionCollectionMemberQuery {
  /** The kind of the member */
  readonly type?: 'item' | 'collection' | 'library' | undefined;
}

interface DeleteFileFileQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {}

interface DeleteGroupQuery {
  /** The groups to delete */
  readonly name: readonly string[];
}

interface DeleteItemQuery extends Pick<Shared, 'keepShapeTagMedia' | 'keepShapeTagStorage'> {
  /** The items, by id or external id */
  readonly id: readonly string[];
}

interface DeleteItemItemQuery extends Pick<Shared, 'keepShapeTagMedia' | 'keepShapeTagStorage'> {}

interface DeleteItemItemMetadataBulkyBulkyQuery {
  /** Only values that end after this time code */
  readonly start?: string | undefined;
  /** Only values that start before this time code */
  readonly end?: string | undefined;
}

interface DeleteItemItemRelationQuery extends Pick<Shared, 'direction'> {}

interface DeleteItemItemShapeQuery extends Pick<Shared, 'keepFiles'> {}

interface DeleteItemItemShapeShapeQuery extends Pick<Shared, 'keepFiles'> {
  /** Removes metadata of the shape from the item */
  readonly updateMetadata?: boolean | undefined;
  /** Addresses instead of ids */
  readonly url?: boolean | undefined;
}

interface DeleteItemItemShapeShapeComponentComponentQuery {
  /** Files stay, also those that nothing else uses */
  readonly keepFiles?: boolean | undefined;
}

interface DeleteItemItemShapeShapeFilenameStorageQuery {
  /** File name. Default: any name */
  readonly filename?: string | undefined;
}

interface DeleteJobQuery {
  /** The jobs */
  readonly id: readonly string[];
}

interface DeleteJobJobQuery {
  /** Reason, stored in the data of the job as abortReason */
  readonly reason?: string | undefined;
  /** Whether cleanup steps run. Incomplete files are removed in any case */
  readonly cleanup?: boolean | undefined;
}

interface DeleteLibraryQuery extends Pick<Shared, 'async' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {
  /** The libraries, by id or external id */
  readonly id: readonly string[];
}

interface DeleteLibraryLibraryQuery extends Pick<Shared, 'async' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {}

interface DeletePosterPlaceItemQuery extends Pick<Shared, 'version'> {}

interface DeleteScheduledRequestQuery {
  /** Only requests in this state */
  readonly state?: 'WAITING' | 'SUCCESS' | 'CONNECTION_FAILURE' | 'BAD_REQUEST' | undefined;
}

interface DeleteStorageStorageQuery {
  /** Refuses with 409 if a file of the storage belongs to an item */
  readonly safe?: boolean | undefined;
}

interface DeleteStorageStorageMethodQuery {
  /** The address, such as file:///srv/media/ */
  readonly url?: string | undefined;
}

interface DeleteUserNameQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {
  /** Deletes the user permanently */
  readonly hard?: boolean | undefined;
  /** Keeps access entries that the user granted */
  readonly preserveAccess?: boolean | undefined;
  /** User who becomes the grantor of the access entries */
  readonly transferAccess?: string | undefined;
}

interface DeleteUserNameTokensQuery {
  /** Keeps the token or session of this request */
  readonly others?: boolean | undefined;
}

interface GetAPInoauthArchiveArchiveQuery {
  /** Secret of the address */
  readonly secret?: string | undefined;
}

interface GetAPInoauthFileFileDataQuery extends Pick<Shared, 'above' | 'expires' | 'signature'> {}

interface GetAPInoauthItemItemThumbnailSpritesheetImageQuery extends Pick<Shared, 'version'> {
  /** Version of the sheet, for caches */
  readonly hash?: string | undefined;
}

interface GetAPInoauthLoginLoginQuery {
  /** Page of this service that is shown after the login */
  readonly page?: string | undefined;
  /** Name that the person may have at the provider */
  readonly hint?: string | undefined;
  /** Whether the provider asks the person */
  readonly prompt?: 'none' | 'login' | 'consent' | 'select_account' | undefined;
}

interface GetAPInoauthLoginLoginCallbackQuery {
  /** What the provider answers. */
  readonly [name: string]: unknown;
}

interface GetAPInoauthPosterPlaceItemTimeQuery extends Pick<Shared, 'version'> {
  /** Version of the picture, for caches */
  readonly hash?: string | undefined;
}

interface GetAPInoauthRunnerTaskClaimSourceQuery {
  /** Expiry of the address, in seconds since the epoch */
  readonly expires?: number | undefined;
  /** Signature of the address */
  readonly signature?: string | undefined;
}

interface GetAPInoauthShareLinkItemQuery {
  /** Maximum number of entries, up to 100 */
  readonly number?: number | undefined;
  /** The "nextCursor" of the previous answer */
  readonly cursor?: string | undefined;
}

interface GetAPInoauthShareLinkItemItemAnnotationQuery extends Pick<Shared, 'first'> {
  /** Maximum number of entries, up to 100 */
  readonly number?: number | undefined;
}

interface GetAPInoauthShareLinkItemItemPictureQuery {
  /** Whether a thumbnail is enough */
  readonly small?: boolean | undefined;
}

interface GetAPInoauthStitchQuery {
  /** The address of a thumbnail or poster of this service, as noauth-url=true tells it */
  readonly uri?: readonly string[] | undefined;
  /** Box of each picture and its margins, such as 100x50+10+10. Default: original sizes */
  readonly geometry?: string | undefined;
  /** Columns and rows, such as 4x3, 4x or x3. Default: about a square */
  readonly tile?: string | undefined;
  /** Image format. Default: by the header Accept, PNG first */
  readonly format?: 'png' | 'jpeg' | undefined;
  /** The colour between pictures, such as white or #f5f7f8; "none" for none, in a PNG */
  readonly background?: string | undefined;
}

interface GetAPInoauthStreamShapePartQuery {
  /** Expiry, scheme, signature and reader of the address */
  readonly grant?: string | undefined;
}

interface GetCollectionQuery extends Pick<Shared, 'conflict' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'number' | 'p' | 'projection' | 'q' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'starttc' | 'terse' | 'to' | 'track'> {
  /** Content of each collection in the answer */
  readonly content?: readonly ('metadata' | 'merged-access' | 'external')[] | undefined;
}

interface GetCollectionCollectionQuery extends Pick<Shared, 'conflict' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'starttc' | 'terse' | 'to' | 'track'> {
  /** Only members of these kinds */
  readonly children?: readonly ('item' | 'collection' | 'library')[] | undefined;
  /** Content of each collection in the answer */
  readonly content?: readonly ('metadata' | 'merged-access' | 'external')[] | undefined;
}

interface GetCollectionCollectionAccessExplainQuery extends Pick<Shared, 'extradata' | 'user'> {
  /** The kind of operation */
  readonly type?: 'GENERIC' | 'METADATA' | 'SHAPE' | 'URI' | undefined;
}

interface GetCollectionCollectionAccessGraphQuery extends Pick<Shared, 'groups' | 'users'> {
  /** Only containers, or only entries */
  readonly type?: readonly ('ancestor' | 'grant')[] | undefined;
}

interface GetCollectionCollectionAncestorQuery extends Pick<Shared, 'first' | 'number'> {}

interface GetCollectionCollectionItemQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'order' | 'p' | 'projection' | 'q' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType' | 'url'> {}

interface GetCollectionCollectionItemSavedHashQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'order' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType' | 'url'> {}

interface GetCollectionCollectionMergedAccessQuery extends Pick<Shared, 'extradata' | 'permission'> {
  /** Only the entries for this user. Another user than the caller needs `_user_read` */
  readonly username?: string | undefined;
  /** The kind of operation */
  readonly type?: 'GENERIC' | 'METADATA' | 'SHAPE' | 'URI' | undefined;
}

interface GetCollectionCollectionMergedAccessGroupQuery extends Pick<Shared, 'full'> {}

interface GetCollectionCollectionMetadataQuery extends Pick<Shared, 'conflict' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'starttc' | 'to' | 'track'> {}

interface GetCollectionCollectionMetadataChangesQuery extends Pick<Shared, 'change' | 'conflict' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'projection' | 'sampleRate' | 'samplerate' | 'starttc' | 'to' | 'track'> {
  /** Index of the first change set, from 1 */
  readonly first?: number | undefined;
  /** Maximum number. 0: all */
  readonly number?: number | undefined;
}

interface GetCollectionCollectionMetadataChangesChangeQuery extends Pick<Shared, 'conflict' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'projection' | 'sampleRate' | 'samplerate' | 'starttc' | 'to' | 'track'> {}

interface GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery extends Pick<Shared, 'conflict' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'projection' | 'sampleRate' | 'samplerate' | 'starttc' | 'to' | 'track' | 'valuesByUuid'> {}

interface GetCollectionCollectionMetadataGraphQuery extends Pick<Shared, 'groupBy'> {}

interface GetCollectionCollectionShareQuery extends Pick<Shared, 'all' | 'first' | 'number'> {}

interface GetCollectionCollectionVersionExportQuery extends Pick<Shared, 'format' | 'uri'> {
  /** The format: vidispine, edl, cmx3600, fcp, xmeml, otio, or a format in which the sequence was stored */
  readonly type?: string | undefined;
  /** Answers an ExportStatusDocument of elements that the format cannot have, instead of the sequence */
  readonly dryRun?: boolean | undefined;
}

interface GetCollectionEntityDeletionLockQuery extends Pick<Shared, 'first' | 'metadata' | 'number' | 'onlyEffective' | 'range' | 'username'> {}

interface GetCollectionEntityNotificationNotificationDeliveryQuery extends Pick<Shared, 'before' | 'entity' | 'number' | 'since' | 'state'> {}

interface GetCollectionEntityNotificationNotificationParkedQuery extends Pick<Shared, 'number'> {
  /** The sequence of the first event to answer */
  readonly since?: number | undefined;
}

interface GetCollectionHistoryQuery extends Pick<Shared, 'maxResults'> {
  /** User of the searches. Other users only for administrators */
  readonly username?: string | undefined;
  /** Only searches since this time */
  readonly start?: string | undefined;
}

interface GetCollectionSavedHashQuery extends Pick<Shared, 'conflict' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'starttc' | 'terse' | 'to' | 'track'> {
  /** Content of each collection in the answer */
  readonly content?: readonly ('metadata' | 'merged-access' | 'external')[] | undefined;
}

interface GetDeletionLockQuery extends Pick<Shared, 'first' | 'metadata' | 'number' | 'onlyEffective' | 'range' | 'username'> {
  /** Only locks of entities of these kinds */
  readonly entityTypes?: readonly ('Item' | 'Collection' | 'Library' | 'File' | 'all')[] | undefined;
}

interface GetEventQuery {
  /** Only the events after this sequence. Default: 0, and the newest with mine=true */
  readonly since?: number | undefined;
  /** Events of the own jobs and of entities that the caller may read. Needs no role for events */
  readonly mine?: boolean | undefined;
  /** With mine=true: also events of jobs of others, for callers with _job_read */
  readonly allJobs?: boolean | undefined;
  /** Only events with any of these names, such as item/create */
  readonly name?: readonly string[] | undefined;
  /** Only events of entities of any of these kinds */
  readonly entityType?: readonly string[] | undefined;
  /** Only events of entities with any of these ids */
  readonly entity?: readonly string[] | undefined;
  /** Adds the name of its item to each event, as far as the caller may read it */
  readonly itemName?: boolean | undefined;
  /** Maximum number of events, up to 1000 */
  readonly number?: number | undefined;
}

interface GetExportZipQuery {
  /** Ids of items */
  readonly id?: readonly string[] | undefined;
  /** Ids of collections. Each is a folder, with the collections in it */
  readonly collection?: readonly string[] | undefined;
  /** Tags of the shapes. Default: "original" */
  readonly tag?: readonly string[] | undefined;
  /** Name of the ZIP file without its ending. Default: "files" */
  readonly title?: string | undefined;
}

interface GetFileFileQuery extends Pick<Shared, 'includeItem' | 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {}

interface GetFileFileShapeQuery extends Pick<Shared, 'includePlaceholder' | 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {}

interface GetGroupQuery extends Pick<Shared, 'first' | 'number' | 'role'> {}

interface GetGroupNameChildrenQuery extends Pick<Shared, 'first' | 'number' | 'traverse'> {}

interface GetImportStorageQuery {
  /** Shape tags of the new shape. Default: "original" */
  readonly tag?: readonly string[] | undefined;
  /** Item of the new shape */
  readonly item?: string | undefined;
}

interface GetItemQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'q' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType' | 'url'> {}

interface GetItemItemQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType'> {}

interface GetItemItemAnnotationQuery extends Pick<Shared, 'assignedTo' | 'first'> {
  /** Only annotations in this state */
  readonly state?: 'open' | 'done' | undefined;
  /** Only annotations of this essence version */
  readonly version?: number | undefined;
  /** Maximum number of entries, up to 100 */
  readonly number?: number | undefined;
  /** Adds `state`, `assignedTo` and `version` to Web Annotations, for an import */
  readonly complete?: boolean | undefined;
}

interface GetItemItemAnnotationMarkersQuery extends Pick<Shared, 'assignedTo'> {
  /** Only annotations in this state */
  readonly state?: 'open' | 'done' | undefined;
  /** Only annotations of this essence version */
  readonly version?: number | undefined;
  /** The form. Default: by Accept */
  readonly format?: 'csv' | 'edl' | 'fcpxml' | 'otio' | 'vtt' | undefined;
}

interface GetItemItemAnnotationPeopleQuery {
  /** How the name, or a word of the real name, begins */
  readonly text?: string | undefined;
}

interface GetItemItemLoudnessQuery extends Pick<Shared, 'shape'> {
  /** The tag of the shape */
  readonly tag?: string | undefined;
}

interface GetItemItemMetadataQuery extends Pick<Shared, 'conflict' | 'defaultValue' | 'displayName' | 'field' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'starttc' | 'terse' | 'to' | 'track'> {}

interface GetItemItemMetadataExportSccQuery extends Pick<Shared, 'interval' | 'language'> {}

interface GetItemItemRelationQuery extends Pick<Shared, 'first' | 'number'> {
  /** Direction of the relations, from the item. D: from it and to it */
  readonly direction?: 'A' | 'U' | 'S' | 'T' | 'D' | undefined;
  /** Metadata of the relation: key=value */
  readonly [name: string]: unknown;
}

interface GetItemItemRestoreQuery extends Pick<Shared, 'tag'> {}

interface GetItemItemShapeQuery extends Pick<Shared, 'methodMetadata' | 'methodType' | 'scheme' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'type' | 'uriType'> {
  /** The essence version: latest, all, latest-per-shapetag, or its number */
  readonly version?: string | undefined;
  /** Placeholder shapes: without them, only them, or all shapes */
  readonly placeholder?: 'false' | 'true' | 'all' | undefined;
  /** Addresses instead of ids */
  readonly url?: boolean | undefined;
}

interface GetItemItemShapeShapeQuery extends Pick<Shared, 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {
  /** Adds the components that the shape still expects */
  readonly includePlaceholder?: boolean | undefined;
  /** Probes readable files again, because they may still be growing */
  readonly transient?: boolean | undefined;
}

interface GetItemItemShapeShapeComponentQuery extends Pick<Shared, 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {}

interface GetItemItemShapeShapeComponentComponentQuery extends Pick<Shared, 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {
  /** Answers the component instead of its files */
  readonly full?: boolean | undefined;
}

interface GetItemItemShapeShapeComponentComponentDataQuery {
  /** Names an original as it came. False: as its item. Other shapes are named as their item */
  readonly useOriginalFilename?: boolean | undefined;
}

interface GetItemItemShapeShapeFileQuery extends Pick<Shared, 'includeItem' | 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {
  /** Only files whose bytes are complete */
  readonly closedFiles?: boolean | undefined;
}

interface GetItemItemShapeShapeHighlighterEdlQuery {
  /** Parts of the shape, in this order: 10-20.5 or 250@PAL-500@PAL */
  readonly interval?: readonly string[] | undefined;
}

interface GetItemItemShapeShapeSmartcropEdlQuery extends Pick<Shared, 'left' | 'top'> {
  /** Width of the rectangle, rounded down to an even number */
  readonly width: number;
  /** Height of the rectangle, rounded down to an even number */
  readonly height: number;
  /** Parts of the shape, in this order: 10-20.5 or 250@PAL-500@PAL. Default: all of it */
  readonly interval?: readonly string[] | undefined;
}

interface GetItemItemShapeShapeStorageRuleQuery {
  /** Adds overruled rules, in order of precedence */
  readonly all?: boolean | undefined;
}

interface GetItemItemShapeShapeTagQuery {
  /** The addresses of the tags instead of their names */
  readonly url?: boolean | undefined;
}

interface GetItemItemStreamQuery {
  /** Form of the manifest. Default: by the header Accept */
  readonly format?: 'hls' | 'dash' | undefined;
  /** A shape that is a stream. Default: the newest one of the latest version */
  readonly shape?: string | undefined;
  /** Whether the manifest names subtitles */
  readonly subtitles?: boolean | undefined;
  /** Whether the manifest names thumbnails */
  readonly thumbnails?: boolean | undefined;
  /** "s3": a link to the storage itself. Otherwise a link to this service */
  readonly scheme?: 'https' | 'http' | 's3' | undefined;
  /** Minutes until the addresses in the manifest expire */
  readonly duration?: number | undefined;
}

interface GetItemItemThumbnailSpritesheetQuery extends Pick<Shared, 'version'> {
  /** An address that works without credentials */
  readonly 'noauth-url'?: boolean | undefined;
}

interface GetItemItemUriQuery extends Pick<Shared, 'closedFiles' | 'methodMetadata' | 'methodType' | 'scheme' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'type' | 'uriType'> {}

interface GetItemItemWaveformAlltracksQuery extends Pick<Shared, 'bgcolor' | 'channel' | 'dB' | 'fgcolor' | 'height' | 'hgridline' | 'hgridline2' | 'hgridline2color' | 'hgridlinecolor' | 'itemTrack' | 'max' | 'min' | 'shape' | 'stream' | 'vgridline' | 'vgridline2' | 'vgridline2color' | 'vgridlinecolor' | 'width'> {
  /** The tag of the shape */
  readonly tag?: string | undefined;
  /** Start of the waveform, as a time code */
  readonly start?: string | undefined;
  /** End of the waveform, as a time code */
  readonly end?: string | undefined;
}

interface GetItemItemWaveformValuesQuery extends Pick<Shared, 'channel' | 'dB' | 'itemTrack' | 'shape' | 'stream'> {
  /** The tag of the shape */
  readonly tag?: string | undefined;
  /** Start of the waveform, as a time code */
  readonly start?: string | undefined;
  /** End of the waveform, as a time code */
  readonly end?: string | undefined;
  /** Maximum number of values */
  readonly width?: number | undefined;
  /** Answers an empty document instead of 404 where nothing was measured */
  readonly ifMeasured?: boolean | undefined;
}

interface GetItemAnnotationWaitingQuery {
  /** Ids of items */
  readonly item?: readonly string[] | undefined;
}

interface GetItemSavedHashQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType' | 'url'> {}

interface GetJobQuery extends Pick<Shared, 'first' | 'number'> {
  /** Only jobs of the caller. False: jobs of everybody, for callers who may read them */
  readonly user?: boolean | undefined;
  /** Only jobs in one of these states */
  readonly state?: readonly ('READY' | 'STARTED' | 'WAITING' | 'HOLD' | 'VIDINET_JOB' | 'ABORTED_PENDING' | 'FINISHED' | 'FINISHED_WARNING' | 'FAILED_TOTAL' | 'ABORTED')[] | undefined;
  /** Only jobs of these types */
  readonly type?: readonly string[] | undefined;
  /** Only jobs of these priorities */
  readonly priority?: readonly ('IMMEDIATE' | 'HIGHEST' | 'HIGH' | 'MEDIUM' | 'LOW' | 'LOWEST')[] | undefined;
  /** Only jobs with this data: key=value, all of them */
  readonly jobmetadata?: readonly string[] | undefined;
  /** Only jobs that were started then or later */
  readonly 'starttime-from'?: string | undefined;
  /** Only jobs that were started then or before */
  readonly 'starttime-to'?: string | undefined;
  /** Only jobs that ended then or later */
  readonly 'finishtime-from'?: string | undefined;
  /** Only jobs that ended then or before */
  readonly 'finishtime-to'?: string | undefined;
  /** What the list is ordered by: some of jobId, startTime, type, state, user, priority, each with "asc" or "desc" */
  readonly sort?: string | undefined;
  /** Adds the step attempts of each job */
  readonly step?: boolean | undefined;
  /** Only id, state, type and priority of each job */
  readonly idonly?: boolean | undefined;
  /** Adds the data of each job */
  readonly metadata?: boolean | undefined;
  /** Only data with these keys, `*` for all. `itemName` is the name of the item, as far as the caller may read it */
  readonly field?: readonly string[] | undefined;
}

interface GetJobJobQuery {
  /** Adds the data of each job */
  readonly metadata?: boolean | undefined;
  /** Only data with these keys, `*` for all. `itemName` is the name of the item, as far as the caller may read it */
  readonly field?: readonly string[] | undefined;
}

interface GetLibraryQuery extends Pick<Shared, 'first' | 'number'> {
  /** Only libraries that refresh themselves, or only others */
  readonly autoRefresh?: boolean | undefined;
  /** Only libraries of this mode */
  readonly updateMode?: 'MERGE' | 'REPLACE' | 'TRANSIENT' | undefined;
  /** Only libraries that are refreshed after so many seconds or more */
  readonly frequencyFrom?: number | undefined;
  /** Only libraries that are refreshed after so many seconds or less */
  readonly frequencyTo?: number | undefined;
}

interface GetLibraryLibraryQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'cursor' | 'defaultValue' | 'displayName' | 'field' | 'first' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType'> {
  /** Whether the answer has the total number of entries */
  readonly count?: boolean | undefined;
}

interface GetLogQuery extends Pick<Shared, 'endtime' | 'method' | 'refused' | 'rows' | 'starttime'> {
  /** Only the requests of this user */
  readonly username?: string | undefined;
  /** Only the requests to this path. "*" at its end matches all paths below it */
  readonly path?: string | undefined;
  /** Whether to include the paths below */
  readonly wildcard?: boolean | undefined;
  /** Sort order by time */
  readonly sort?: 'asc' | 'desc' | undefined;
  /** Index of the first entry, from 0 */
  readonly first?: number | undefined;
  /** Adds the number of entries */
  readonly performCount?: boolean | undefined;
}

interface GetLogExportQuery extends Pick<Shared, 'endtime' | 'method' | 'refused' | 'starttime'> {
  /** Only the requests of this user */
  readonly username?: string | undefined;
  /** Only the requests to this path. "*" at its end matches all paths below it */
  readonly path?: string | undefined;
  /** Whether to include the paths below */
  readonly wildcard?: boolean | undefined;
  /** Sort order by time */
  readonly sort?: 'asc' | 'desc' | undefined;
  /** Index of the first entry, from 0 */
  readonly first?: number | undefined;
  /** Maximum number of entries, up to 10000 */
  readonly rows?: number | undefined;
}

interface GetLogTransferLogQuery extends Pick<Shared, 'rows'> {
  /** Number of entries to skip */
  readonly first?: number | undefined;
  /** Only transfers from that time on */
  readonly starttime?: string | undefined;
  /** Only transfers until that time */
  readonly endtime?: string | undefined;
  /** Only transfers from or to this storage */
  readonly storage?: string | undefined;
  /** Only transfers from or to this file */
  readonly file?: string | undefined;
  /** Only transfers of files of this item */
  readonly item?: string | undefined;
  /** Only the transfer of this job */
  readonly job?: string | undefined;
  /** Only transfers in these states */
  readonly status?: readonly ('NONE' | 'STARTING' | 'FINISHED' | 'FAILED')[] | undefined;
  /** Only transfers of these kinds */
  readonly method?: readonly ('COPY_FILE' | 'MOVE_FILE')[] | undefined;
  /** Transfers have none, so the list is empty */
  readonly shape?: string | undefined;
  /** Transfers have none, so the list is empty */
  readonly uri?: string | undefined;
  /** Adds the total number */
  readonly performCount?: boolean | undefined;
}

interface GetMetadataFieldQuery extends Pick<Shared, 'data' | 'first' | 'includeValues' | 'number'> {}

interface GetMetadataFieldFieldQuery extends Pick<Shared, 'data' | 'includeValues'> {}

interface GetMetadataFieldFieldMergedAccessQuery {
  /** The user */
  readonly username: string;
}

interface GetMetadataFieldFieldValuesQuery {
  /** Only this key */
  readonly 'key-exact'?: string | undefined;
  /** Only keys with this prefix */
  readonly 'key-start'?: string | undefined;
  /** Only keys that fully match this regular expression */
  readonly 'key-regex'?: string | undefined;
  /** Only this value */
  readonly 'value-exact'?: string | undefined;
  /** Only values with this prefix */
  readonly 'value-start'?: string | undefined;
  /** Only values that fully match this regular expression */
  readonly 'value-regex'?: string | undefined;
  /** Maximum number of entries */
  readonly hits?: number | undefined;
}

interface GetMetadataFieldFieldGroupQuery extends Pick<Shared, 'data' | 'first' | 'number'> {
  /** Adds the members */
  readonly content?: boolean | undefined;
  /** Includes the content of nested groups */
  readonly traverse?: boolean | undefined;
  /** Adds the enumerations of the fields */
  readonly includeValues?: boolean | undefined;
}

interface GetMetadataFieldFieldGroupGroupQuery extends Pick<Shared, 'data'> {
  /** Includes the content of nested groups */
  readonly traverse?: boolean | undefined;
  /** Adds the enumerations of the fields */
  readonly includeValues?: boolean | undefined;
}

interface GetMetadataFieldFieldGroupMergedAccessQuery extends Pick<Shared, 'first' | 'number'> {
  /** The user */
  readonly username: string;
}

interface GetOpenapiJsonQuery {
  /** With json, bodies and answers have JSON alone where there is JSON, and calls without it are left out: for generators of clients */
  readonly form?: 'all' | 'json' | undefined;
}

interface GetPosterPlaceItemQuery extends Pick<Shared, 'version'> {
  /** Addresses instead of times */
  readonly url?: boolean | undefined;
  /** Addresses that work without credentials */
  readonly 'noauth-url'?: boolean | undefined;
}

interface GetPosterPlaceItemTimeExportQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'version'> {
  /** Destination of the picture. A slash at its end makes it a folder */
  readonly uri: string;
  /** Image format. A transcoder converts to other formats */
  readonly format?: 'jpg' | 'jpeg' | 'png' | undefined;
}

interface GetProjectionQuery {
  /** Addresses instead of names */
  readonly url?: boolean | undefined;
}

interface GetQuotaQuery extends Pick<Shared, 'first' | 'number'> {
  /** Adds the external ids */
  readonly content?: readonly 'external'[] | undefined;
  /** Only rules with these criteria: pairs such as `user=anna,storage=VX-3` */
  readonly filter?: string | undefined;
  /** Only rules whose usage exceeds a limit */
  readonly exceeded?: boolean | undefined;
}

interface GetQuotaRuleQuery {
  /** Adds the external ids */
  readonly content?: readonly 'external'[] | undefined;
}

interface GetQuotaRuleHistoryQuery {
  /** Only from this day on */
  readonly since?: string | undefined;
}

interface GetScheduledRequestQuery extends Pick<Shared, 'first' | 'number'> {
  /** Only requests in this state */
  readonly state?: 'WAITING' | 'SUCCESS' | 'CONNECTION_FAILURE' | 'BAD_REQUEST' | undefined;
  /** Requests of all users, for administrators */
  readonly all?: boolean | undefined;
}

interface GetScimV2GroupsQuery extends Pick<Shared, 'attributes' | 'excludedAttributes' | 'sortBy' | 'sortOrder' | 'startIndex'> {
  /** Condition of RFC 7644, with `eq` on an attribute that has an index */
  readonly filter?: string | undefined;
  /** Maximum number of resources */
  readonly count?: string | undefined;
  /** Where the page begins, from `nextCursor` of the answer before. Empty: at the first resource */
  readonly cursor?: string | undefined;
}

interface GetScimV2GroupsGroupQuery extends Pick<Shared, 'attributes' | 'excludedAttributes'> {}

interface GetSearchQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'q' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType'> {}

interface GetSearchFileQuery extends Pick<Shared, 'count' | 'cursor' | 'explain' | 'first' | 'fresh' | 'includeItem' | 'methodMetadata' | 'methodType' | 'number' | 'q' | 'save' | 'scheme' | 'storageType'> {}

interface GetSearchFileSavedHashQuery extends Pick<Shared, 'count' | 'cursor' | 'explain' | 'first' | 'fresh' | 'includeItem' | 'methodMetadata' | 'methodType' | 'number' | 'save' | 'scheme' | 'storageType'> {}

interface GetSearchSavedHashQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType'> {}

interface GetSearchShapeQuery extends Pick<Shared, 'count' | 'cursor' | 'explain' | 'first' | 'fresh' | 'number' | 'q'> {
  /** Content of each shape in the answer */
  readonly content?: readonly 'metadata'[] | undefined;
}

interface GetSecurityExplainQuery {
  /** The target of the request, percent-encoded. Left out: only the user is explained */
  readonly target?: string | undefined;
  /** The method of the request */
  readonly method?: string | undefined;
  /** User of the request. Another one than the caller needs `_administrator` */
  readonly user?: string | undefined;
}

interface GetSessionPeopleQuery {
  /** User names */
  readonly name?: readonly string[] | undefined;
}

interface GetShapeTagQuery extends Pick<Shared, 'first' | 'number'> {
  /** The addresses of the tags instead of their names */
  readonly url?: boolean | undefined;
}

interface GetShapeTagTagItemItemShapeShapeQuery {
  /** Accepted for older clients: the script gets no job data */
  readonly job?: string | undefined;
}

interface GetStorageQuery extends Pick<Shared, 'first' | 'number'> {
  /** Only storages of this capacity; either side may be empty */
  readonly size?: string | undefined;
  /** Only storages with so much free; either side may be empty */
  readonly freebytes?: string | undefined;
  /** Only storages with so much in use; either side may be empty */
  readonly usedbytes?: string | undefined;
  /** Only storages with so many percent free; either side may be empty */
  readonly freeamount?: string | undefined;
  /** Only storages with so many files; either side may be empty */
  readonly files?: string | undefined;
  /** Only storages of one of these groups; "-" in front: those that are not */
  readonly storagegroup?: readonly string[] | undefined;
  /** Only storages in one of these states; "-" in front: those that are not */
  readonly status?: readonly ('NONE' | '-NONE' | 'READY' | '-READY' | 'OFFLINE' | '-OFFLINE' | 'FAILED' | '-FAILED' | 'DISABLED' | '-DISABLED' | 'EVACUATING' | '-EVACUATING' | 'EVACUATED' | '-EVACUATED')[] | undefined;
  /** Only storages with a method of this address; "*" and "?" stand for any characters and any one */
  readonly url?: string | undefined;
  /** Adds the name of each storage */
  readonly displayName?: boolean | undefined;
}

interface GetStorageRuleQuery extends Pick<Shared, 'first' | 'number'> {
  /** The types of entities that the rules are about */
  readonly type?: readonly ('SHAPE' | 'ITEM' | 'LIBRARY' | 'COLLECTION' | 'GENERIC')[] | undefined;
  /** The shape tags of the rules */
  readonly tag?: readonly string[] | undefined;
}

interface GetStorageStorageQuery {
  /** Adds the name of each storage */
  readonly displayName?: boolean | undefined;
}

interface GetStorageStorageFileQuery extends Pick<Shared, 'algorithm' | 'excludeQueued' | 'filter' | 'hash' | 'id' | 'ignorecase' | 'includeItem' | 'methodMetadata' | 'methodType' | 'path' | 'prefix' | 'prefixFirst' | 'prefixNumber' | 'recursive' | 'scheme' | 'sort' | 'sort-order' | 'start' | 'storageType' | 'wildcard'> {
  /** Index of the first file, from 0 */
  readonly first?: number | undefined;
  /** Maximum number of files, up to 1000. 0: only the total number */
  readonly number?: number | undefined;
  /** "*" starts a list in pages. For the next page: "nextCursor" of the previous answer. "first" is ignored */
  readonly cursor?: string | undefined;
  /** Whether the answer has the total number of files. A number above 1 is read as "number" */
  readonly count?: boolean | undefined;
  /** Only files in these states */
  readonly state?: readonly ('NONE' | 'OPEN' | 'CLOSED' | 'UNKNOWN' | 'MISSING' | 'LOST' | 'TO_APPEAR' | 'TO_BE_DELETED' | 'BEING_READ' | 'ARCHIVED' | 'AWAITING_SYNC')[] | undefined;
  /** Only files of these storages */
  readonly storage?: readonly string[] | undefined;
  /** Only files of storages in these groups */
  readonly storageGroup?: readonly string[] | undefined;
}

interface GetStorageStorageFileByURIQuery extends Pick<Shared, 'includeItem' | 'methodMetadata' | 'methodType' | 'scheme' | 'storageType'> {
  /** The path below the storage. A slash at its beginning means nothing */
  readonly path?: string | undefined;
  /** The address, such as "file:///srv/media/a.mov" */
  readonly uri?: string | undefined;
}

interface GetStorageStorageFixityQuery extends Pick<Shared, 'first'> {
  /** Only files of this state */
  readonly state?: 'waiting' | 'verified' | 'changed' | 'missing' | 'unhashed' | undefined;
  /** Maximum number of entries, up to 200 */
  readonly number?: number | undefined;
}

interface GetStorageStorageMethodQuery extends Pick<Shared, 'browse' | 'read'> {
  /** Only methods for writing */
  readonly write?: boolean | undefined;
  /** Only the methods of this address; "*" and "?" stand for any characters and any one character */
  readonly url?: string | undefined;
}

interface GetStorageFixityQuery extends Pick<Shared, 'first'> {
  /** Maximum number of entries, up to 200 */
  readonly number?: number | undefined;
}

interface GetTaskDefinitionQuery {
  /** Only steps of this type */
  readonly type?: string | undefined;
}

interface GetTokenQuery extends Pick<Shared, 'autoRefresh' | 'seconds'> {}

interface GetTransferQuery extends Pick<Shared, 'first' | 'number'> {
  /** Only entries in one of these states */
  readonly state?: readonly ('TRANSFERRING' | 'WAITING' | 'FINISHED' | 'FAILED' | 'ABORTED')[] | undefined;
}

interface GetUpgradePlanQuery {
  /** The current release */
  readonly from: string;
  /** The target release */
  readonly to: string;
}

interface GetUsageQuery extends Pick<Shared, 'first' | 'number'> {
  /** Only terms that end from then on. Default: now */
  readonly from?: string | undefined;
  /** Only terms that end before then */
  readonly until?: string | undefined;
}

interface GetUserQuery extends Pick<Shared, 'disabled' | 'first' | 'number'> {
  /** Only the users with these names */
  readonly name?: readonly string[] | undefined;
}

interface GetUserNameGroupsQuery extends Pick<Shared, 'first' | 'number' | 'traverse'> {
  /** Adds the groups that the user is in indirectly */
  readonly allgroups?: boolean | undefined;
}

interface GetUserGraphQuery {
  /** Users in the graph. Default: all */
  readonly users?: readonly string[] | undefined;
  /** Groups in the graph. Default: all */
  readonly groups?: readonly string[] | undefined;
}

interface PostAPInoauthImportPlaceholderItemComponentRawQuery extends Pick<Shared, 'passkey' | 'transferId' | 'transferPriority'> {}

interface PostAPInoauthSessionEnrolQuery extends Pick<Shared, 'stay'> {}

interface PostAPInoauthShareLinkFileQuery {
  /** Name of the file */
  readonly filename?: string | undefined;
}

interface PostCollectionQuery extends Pick<Shared, 'created' | 'owner'> {
  /** The name, which is the metadata field "title" */
  readonly name?: string | undefined;
  /** External ids of the collection */
  readonly externalId?: readonly string[] | undefined;
}

interface PostCollectionCollectionAccessQuery extends Pick<Shared, 'allowDuplicate'> {}

interface PostCollectionCollectionExportQuery extends Pick<Shared, 'bag' | 'holdJob' | 'jobmetadata' | 'locationName' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'template' | 'useOriginalComponentFilename' | 'xmp'> {
  /** Destination of the files. A slash at its end makes it a folder */
  readonly uri?: string | undefined;
  /** Only components of these tracks, such as V1,A. Asterisk: all */
  readonly track?: string | undefined;
  /** Names files as the originals of their items, with their own extensions */
  readonly useOriginalFilename?: boolean | undefined;
  /** Writes the metadata of the item into a file with the extension xml beside each file */
  readonly metadata?: boolean | undefined;
  /** Projection whose outgoing stylesheet transforms the metadata in the file */
  readonly projection?: string | undefined;
  /** Shapes with any of these tags. Default: the tags of the location, or the originals */
  readonly tag?: readonly string[] | undefined;
  /** The essence version: latest, all, latest-per-shapetag, or its number */
  readonly version?: string | undefined;
  /** A file that cannot be exported fails the job. False: it is skipped */
  readonly all?: boolean | undefined;
}

interface PostCollectionCollectionMetadataLockQuery extends Pick<Shared, 'timeout'> {
  /** Fields to lock. Default: all */
  readonly field?: readonly string[] | undefined;
}

interface PostCollectionEntityNotificationNotificationPauseQuery extends Pick<Shared, 'reason'> {}

interface PostCollectionEntityNotificationNotificationReplayQuery extends Pick<Shared, 'dryRun' | 'only'> {
  /** Time of the first event to send again, or how long ago. Default with only=parked: all */
  readonly since?: string | undefined;
}

interface PostCollectionEntityNotificationNotificationSecretQuery extends Pick<Shared, 'overlap'> {}

interface PostCollectionEntityNotificationNotificationTestQuery extends Pick<Shared, 'trigger'> {}

interface PostCollectionProjectInspectQuery extends Pick<Shared, 'reelField'> {
  /** The address of the project */
  readonly uri: string;
  /** Format of the project: the XML of Final Cut Pro 7, or OpenTimelineIO. Default: by the ending .otio */
  readonly type?: 'fcp' | 'otio' | undefined;
}

interface PostConformQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag' | 'sourceTag'> {
  /** Shape tags: the job creates a shape for each */
  readonly tag?: readonly string[] | undefined;
  /** Tag whose shape becomes the original */
  readonly original?: string | undefined;
  /** Creates thumbnails of the result */
  readonly createThumbnails?: boolean | undefined;
  /** Creates posters at these times */
  readonly createPosters?: readonly string[] | undefined;
  /** Item for the shape. Default: a new item */
  readonly destinationItem?: string | undefined;
}

interface PostExportTemplateTestQuery {
  /** The item. Without it the answer is empty */
  readonly item?: string | undefined;
}

interface PostFileFileAnalyzeQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag'> {
  /** Source shape: the first one with one of these tags, in this order. Default: the original */
  readonly tag?: readonly string[] | undefined;
  /** Accepted for older clients: nothing is written to a storage */
  readonly storageId?: string | undefined;
}

interface PostFileFileDataQuery extends Pick<Shared, 'transferId' | 'transferPriority'> {}

interface PostFileFileImportQuery extends Pick<Shared, 'allowReimport' | 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'importTag' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'settings' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
  /** External ids of the item */
  readonly id?: readonly string[] | undefined;
}

interface PostFileFilePathQuery extends Pick<Shared, 'duplicate'> {
  /** New path of the file below its storage */
  readonly path: string;
  /** Storage of the file now, if it has changed */
  readonly storage?: string | undefined;
  /** State of the new file. Default: the state of the old file */
  readonly state?: 'NONE' | 'OPEN' | 'CLOSED' | 'UNKNOWN' | 'MISSING' | 'LOST' | 'TO_APPEAR' | 'TO_BE_DELETED' | 'BEING_READ' | 'ARCHIVED' | 'AWAITING_SYNC' | undefined;
}

interface PostFileFileStorageTargetQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'limitRate' | 'move' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'timeRequirement' | 'useOriginalFilename'> {
  /** The path of the new file below its storage */
  readonly filename?: string | undefined;
}

interface PostFileFileUriQuery extends Pick<Shared, 'duration' | 'write'> {
  /** "s3": a link to the storage itself. Otherwise a link to this service */
  readonly scheme?: 'https' | 'http' | 's3' | undefined;
}

interface PostImportQuery extends Pick<Shared, 'URL' | 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'ids' | 'importTag' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'settings' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
  /** The address of the file */
  readonly uri?: string | undefined;
  /** The address or the id of a file with metadata or subtitles */
  readonly sidecar?: readonly string[] | undefined;
}

interface PostImportMetadataTableQuery extends Pick<Shared, 'empty' | 'holdJob' | 'ignore' | 'jobmetadata' | 'keyColumn' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'separator' | 'values'> {
  /** "id": ids and external ids name the items. "filename": the names of their files */
  readonly key?: 'id' | 'filename' | undefined;
  /** Columns whose heads are not the names of their fields: "a:head", as for lists */
  readonly field?: readonly string[] | undefined;
  /** Checks each row, and changes nothing */
  readonly dryRun?: boolean | undefined;
}

interface PostImportMetadataTablePreviewQuery extends Pick<Shared, 'empty' | 'ignore' | 'keyColumn' | 'separator' | 'values'> {
  /** "id": ids and external ids name the items. "filename": the names of their files */
  readonly key?: 'id' | 'filename' | undefined;
  /** Columns whose heads are not the names of their fields: "a:head", as for lists */
  readonly field?: readonly string[] | undefined;
}

interface PostImportPlaceholderQuery extends Pick<Shared, 'audio' | 'binary' | 'container' | 'created' | 'owner' | 'settings' | 'subtitle' | 'video'> {
  /** Tags of the shape. Default: "original" */
  readonly importTag?: readonly string[] | undefined;
  /** External ids of the item */
  readonly externalId?: readonly string[] | undefined;
}

interface PostImportPlaceholderItemQuery extends Pick<Shared, 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'growing' | 'holdJob' | 'index' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'shapeId' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostImportPlaceholderItemComponentQuery extends Pick<Shared, 'URL' | 'allowReimport' | 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'fileId' | 'filename' | 'growing' | 'holdJob' | 'index' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'shapeId' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** The address of the file */
  readonly uri?: string | undefined;
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostImportPlaceholderItemComponentRawQuery extends Pick<Shared, 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'index' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'shapeId' | 'storageId' | 'thumbnailService' | 'thumbnails' | 'transferId' | 'transferPriority'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostImportPlaceholderItemComponentRawPasskeyQuery extends Pick<Shared, 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'index' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'shapeId' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostImportProjectQuery extends Pick<Shared, 'reelField'> {
  /** The address of the project */
  readonly uri: string;
  /** Format of the project: the XML of Final Cut Pro 7, or OpenTimelineIO. Default: by the ending .otio */
  readonly type?: 'fcp' | 'otio' | undefined;
  /** The project of the new version */
  readonly collectionId?: string | undefined;
}

interface PostImportProjectSequenceQuery extends Pick<Shared, 'reelField'> {
  /** The address of the project */
  readonly uri: string;
  /** Format of the project: the XML of Final Cut Pro 7, or OpenTimelineIO. Default: by the ending .otio */
  readonly type?: 'fcp' | 'otio' | undefined;
  /** Gives each new item the id of its sequence as an external id */
  readonly assignId?: boolean | undefined;
}

interface PostImportRawQuery extends Pick<Shared, 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'ids' | 'importTag' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'settings' | 'storageId' | 'thumbnailService' | 'thumbnails' | 'transferId' | 'transferPriority'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
  /** Collection that the item joins. It needs the role `_collection_write`, and WRITE */
  readonly collection?: string | undefined;
}

interface PostImportRawPasskeyQuery extends Pick<Shared, 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'ids' | 'importTag' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'settings' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostImportSidecarItemQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {
  /** The address of the file, or its id on a storage */
  readonly sidecar: string;
}

interface PostImportSidecarItemRawQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {
  /** Extension of the file: xml, json, srt, vtt, ttml, dfxp or scc */
  readonly fileExtension?: string | undefined;
}

interface PostItemItemConformQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag' | 'sourceTag'> {
  /** Shape tags: the job creates a shape for each */
  readonly tag?: readonly string[] | undefined;
  /** Tag whose shape becomes the original */
  readonly original?: string | undefined;
  /** Creates thumbnails of the result */
  readonly createThumbnails?: boolean | undefined;
  /** Creates posters at these times */
  readonly createPosters?: readonly string[] | undefined;
}

interface PostItemItemExportQuery extends Pick<Shared, 'allowMissing' | 'bag' | 'holdJob' | 'jobmetadata' | 'locationName' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'template' | 'useOriginalComponentFilename' | 'xmp'> {
  /** Destination of the files. A slash at its end makes it a folder */
  readonly uri?: string | undefined;
  /** Only components of these tracks, such as V1,A. Asterisk: all */
  readonly track?: string | undefined;
  /** Names files as the originals of their items, with their own extensions */
  readonly useOriginalFilename?: boolean | undefined;
  /** Writes the metadata of the item into a file with the extension xml beside each file */
  readonly metadata?: boolean | undefined;
  /** Projection whose outgoing stylesheet transforms the metadata in the file */
  readonly projection?: string | undefined;
  /** Start of the exported part: a time code from the start of the media. A transcoder cuts the part */
  readonly start?: string | undefined;
  /** End of the exported part */
  readonly end?: string | undefined;
  /** Shapes with any of these tags. Default: the tags of the location, or the originals */
  readonly tag?: readonly string[] | undefined;
  /** The essence version: latest, all, latest-per-shapetag, or its number */
  readonly version?: string | undefined;
}

interface PostItemItemLockQuery extends Pick<Shared, 'timestamp'> {
  /** Duration in ISO 8601. Default: one day */
  readonly duration?: string | undefined;
}

interface PostItemItemRelationOtherQuery {
  /** U: undirected. S: the first item is the source. T: it is the target */
  readonly direction?: 'U' | 'S' | 'T' | undefined;
  /** Whether to create a relation that already exists */
  readonly allowDuplicate?: boolean | undefined;
  /** Metadata of the relation: key=value */
  readonly [name: string]: unknown;
}

interface PostItemItemRestoreQuery extends Pick<Shared, 'expirationInDays' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'retrievalTier' | 'tag'> {}

interface PostItemItemSequenceRenderQuery extends Pick<Shared, 'destinationItem' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag' | 'subtitleLanguage'> {
  /** Shape tags: the job creates a shape for each */
  readonly tag?: readonly string[] | undefined;
  /** Tag whose shape becomes the original */
  readonly original?: string | undefined;
  /** Shape of each item: the first one with one of these tags, in this order. Default: the original */
  readonly sourceTag?: readonly string[] | undefined;
}

interface PostItemItemShapeQuery extends Pick<Shared, 'URL' | 'allowReimport' | 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'fileId' | 'growing' | 'holdJob' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** The address of the file */
  readonly uri?: string | undefined;
  /** Tags of the new shape. The first shape of an item is always its original */
  readonly tag?: readonly string[] | undefined;
  /** The same as tag */
  readonly importTag?: readonly string[] | undefined;
  /** File name in the metadata of the shape */
  readonly filename?: string | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostItemItemShapeShapeComponentQuery extends Pick<Shared, 'URL' | 'allowReimport' | 'fileId' | 'growing' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'storageId'> {
  /** The address of the file */
  readonly uri?: string | undefined;
}

interface PostItemItemShapeShapeComponentComponentCopyItemToItemShapeToShapeQuery extends Pick<Shared, 'keepMetadata'> {
  /** Index among the components of its kind, from 0. Replaces an existing component */
  readonly index?: number | undefined;
}

interface PostItemItemShapeShapeComponentPlaceholderQuery {
  /** The kind of component */
  readonly type: 'container' | 'video' | 'audio' | 'binary' | 'subtitle';
  /** Index among the components of its kind, from 0. Default: the last one */
  readonly index?: number | undefined;
}

interface PostItemItemShapeShapeExportQuery extends Pick<Shared, 'allowMissing' | 'bag' | 'holdJob' | 'jobmetadata' | 'locationName' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'useOriginalComponentFilename' | 'xmp'> {
  /** Destination of the files. A slash at its end makes it a folder */
  readonly uri?: string | undefined;
  /** Only components of these tracks, such as V1,A. Asterisk: all */
  readonly track?: string | undefined;
  /** Names files as the originals of their items, with their own extensions */
  readonly useOriginalFilename?: boolean | undefined;
  /** Writes the metadata of the item into a file with the extension xml beside each file */
  readonly metadata?: boolean | undefined;
  /** Projection whose outgoing stylesheet transforms the metadata in the file */
  readonly projection?: string | undefined;
  /** Start of the exported part: a time code from the start of the media. A transcoder cuts the part */
  readonly start?: string | undefined;
  /** End of the exported part */
  readonly end?: string | undefined;
}

interface PostItemItemShapeShapeHighlightRenderQuery extends Pick<Shared, 'destinationItem' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag'> {
  /** Shape tags: the job creates a shape for each */
  readonly tag?: readonly string[] | undefined;
  /** Tag whose shape becomes the original */
  readonly original?: string | undefined;
  /** Parts of the shape, in this order: 10-20.5 or 250@PAL-500@PAL */
  readonly interval?: readonly string[] | undefined;
}

interface PostItemItemShapeShapeSmartcropRenderQuery extends Pick<Shared, 'destinationItem' | 'holdJob' | 'jobmetadata' | 'left' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag' | 'top'> {
  /** Shape tags: the job creates a shape for each */
  readonly tag?: readonly string[] | undefined;
  /** Tag whose shape becomes the original */
  readonly original?: string | undefined;
  /** Width of the rectangle, rounded down to an even number */
  readonly width: number;
  /** Height of the rectangle, rounded down to an even number */
  readonly height: number;
  /** Parts of the shape, in this order: 10-20.5 or 250@PAL-500@PAL. Default: all of it */
  readonly interval?: readonly string[] | undefined;
}

interface PostItemItemShapeShapeThumbnailQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'posterFormat' | 'posterHeight' | 'posterWidth' | 'priority' | 'resourceId' | 'resourceTag' | 'thumbnailHeight' | 'thumbnailPeriod' | 'thumbnailWidth'> {
  /** A shape tag whose preset has the sizes */
  readonly tag?: readonly string[] | undefined;
  /** Times of the posters */
  readonly createPosters?: readonly string[] | undefined;
  /** Thumbnail resource. All of them store pictures in the same place */
  readonly thumbnailService?: string | undefined;
  /** Creates thumbnails: true, or comma-separated times */
  readonly createThumbnails?: string | undefined;
  /** Source shape: the first one with one of these tags, in this order. Default: the original */
  readonly sourceTag?: readonly string[] | undefined;
  /** The essence version. Default: the latest */
  readonly version?: number | undefined;
}

interface PostItemItemShapeShapeTranscodeQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceId' | 'resourceTag'> {
  /** Shape tags: the job creates a shape for each */
  readonly tag?: readonly string[] | undefined;
  /** Times of the posters */
  readonly createPosters?: readonly string[] | undefined;
  /** Thumbnail resource. All of them store pictures in the same place */
  readonly thumbnailService?: string | undefined;
  /** Creates thumbnails of the source: true, or comma-separated times */
  readonly createThumbnails?: string | undefined;
  /** Storage for the files. Default: by storage rules */
  readonly storageId?: string | undefined;
  /** Tag whose shape becomes the original */
  readonly original?: string | undefined;
  /** Another item for the shapes */
  readonly destinationItem?: string | undefined;
  /** Whether requireFastStart applies to presets without the setting */
  readonly overrideFastStart?: boolean | undefined;
  /** Writes the index before the media, so that players start at once */
  readonly requireFastStart?: boolean | undefined;
  /** Stored in the data of the job, without effect */
  readonly fastStartLength?: string | undefined;
}

interface PostItemItemShapeCreateQuery {
  /** The tags of the shape */
  readonly tag?: readonly string[] | undefined;
  /** The essence version of the shape. Default: the latest of the item */
  readonly version?: number | undefined;
  /** Updates the metadata of the item from the shape */
  readonly updateItemMetadata?: boolean | undefined;
  /** External ids of the shape */
  readonly externalId?: readonly string[] | undefined;
}

interface PostItemItemShapeEssenceRawQuery extends Pick<Shared, 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'growing' | 'holdJob' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'storageId' | 'thumbnailService' | 'thumbnails' | 'transferId' | 'transferPriority'> {
  /** Tags of the new shape. The first shape of an item is always its original */
  readonly tag?: readonly string[] | undefined;
  /** The same as tag */
  readonly importTag?: readonly string[] | undefined;
  /** File name in the metadata of the shape */
  readonly filename?: string | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
}

interface PostItemItemShapePlaceholderQuery extends Pick<Shared, 'audio' | 'binary' | 'container' | 'subtitle' | 'video'> {
  /** The tags of the shape */
  readonly tag?: readonly string[] | undefined;
}

interface PostItemListQuery extends Pick<Shared, 'destinationUri' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'outputFormat' | 'priority' | 'resourceTag'> {
  /** Fields of each item: "a,b:alias". In CSV also fields of groups, "group/a", and "start,end" for a row for each timespan. Default: title in CSV, all in documents */
  readonly field?: readonly string[] | undefined;
  /** Documents: "type" adds the definition of each field. Other words add its data */
  readonly data?: readonly string[] | undefined;
  /** Documents: only these parts of each item, as content paths. They replace field and data */
  readonly p?: string | undefined;
  /** Only items that this user may read. Administrators name others than themselves */
  readonly username?: string | undefined;
  /** Only items that this group may read. Administrators name groups */
  readonly groupname?: string | undefined;
}

interface PostJobQuery extends Pick<Shared, 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag'> {
  /** The type */
  readonly type: string;
}

interface PostJobJobReRunQuery {
  /** Priority of the new job. Default: the priority of the old job */
  readonly priority?: 'IMMEDIATE' | 'HIGHEST' | 'HIGH' | 'MEDIUM' | 'LOW' | 'LOWEST' | undefined;
}

interface PostLibraryQuery {
  /** External ids of the library */
  readonly externalId?: readonly string[] | undefined;
}

interface PostLibraryLibraryListQuery extends Pick<Shared, 'destinationUri' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'outputFormat' | 'priority' | 'resourceTag'> {
  /** Fields of each item: "a,b:alias". In CSV also fields of groups, "group/a", and "start,end" for a row for each timespan. Default: title in CSV, all in documents */
  readonly field?: readonly string[] | undefined;
  /** Documents: "type" adds the definition of each field. Other words add its data */
  readonly data?: readonly string[] | undefined;
  /** Documents: only these parts of each item, as content paths. They replace field and data */
  readonly p?: string | undefined;
}

interface PostRelationQuery {
  /** Whether to create a relation that already exists */
  readonly allowDuplicate?: boolean | undefined;
}

interface PostRunnerRunnerClaimQuery {
  /** Seconds to wait for a task */
  readonly wait?: number | undefined;
}

interface PostSearchOptimizeQuery {
  /** Accepted, without effect */
  readonly blocking?: boolean | undefined;
  /** Milliseconds: accepted, without effect */
  readonly timeout?: number | undefined;
}

interface PostStorageStorageFileQuery extends Pick<Shared, 'createOnly' | 'externalId'> {
  /** The path of the file below its storage */
  readonly path?: string | undefined;
  /** Address of the file below a method of a storage, instead of its id */
  readonly uri?: string | undefined;
  /** The state of the file */
  readonly state?: 'NONE' | 'OPEN' | 'CLOSED' | 'UNKNOWN' | 'MISSING' | 'LOST' | 'TO_APPEAR' | 'TO_BE_DELETED' | 'BEING_READ' | 'ARCHIVED' | 'AWAITING_SYNC' | undefined;
}

interface PostStorageStorageFileDataQuery extends Pick<Shared, 'transferId' | 'transferPriority'> {
  /** The path of the new file below its storage */
  readonly path?: string | undefined;
  /** Address of the file below a method of the storage, instead of its path */
  readonly uri?: string | undefined;
  /** State of the file after the upload */
  readonly state?: 'CLOSED' | 'OPEN' | 'NONE' | 'UNKNOWN' | 'AWAITING_SYNC' | 'ARCHIVED' | undefined;
}

interface PostStorageStorageImportQuery extends Pick<Shared, 'allowReimport' | 'createPosters' | 'createThumbnails' | 'fastStartLength' | 'filename' | 'growing' | 'holdJob' | 'importTag' | 'jobmetadata' | 'no-transcode' | 'notification' | 'notificationData' | 'original' | 'overrideFastStart' | 'priority' | 'requireFastStart' | 'resourceTag' | 'settings' | 'storageId' | 'thumbnailService' | 'thumbnails'> {
  /** The path of the file below its storage */
  readonly path: string;
  /** Shape tags to transcode the new shape to. "original" creates only thumbnails */
  readonly tag?: readonly string[] | undefined;
  /** Transcoder for the job */
  readonly resourceId?: string | undefined;
  /** External ids of the item */
  readonly id?: readonly string[] | undefined;
}

interface PostStorageStorageRescanQuery {
  /** Approves the scan: missing files are lost, and another file system is correct */
  readonly confirm?: boolean | undefined;
}

interface PostStorageImportQuery {
  /** The address of the method, such as file:///srv/media/ */
  readonly path: string;
}

interface PostTaskDefinitionQuery {
  /** The addresses of the steps instead of their ids */
  readonly url?: boolean | undefined;
}

interface PostTaskDefinitionJobtypeTypeQuery {
  /** The number of the type, from 20000 to 30000 */
  readonly id?: number | undefined;
}

interface PostUserQuery extends Pick<Shared, 'passwordType'> {}

interface PostUserNameKeyQuery {
  /** A name for the key */
  readonly name?: string | undefined;
}

interface PostUserNameLinkQuery {
  /** How long the text works */
  readonly seconds?: number | undefined;
}

interface PutAPInoauthRunnerTaskClaimTargetQuery {
  /** Expiry of the address, in seconds since the epoch */
  readonly expires?: number | undefined;
  /** Signature of the address */
  readonly signature?: string | undefined;
  /** Number of the still in the order, from 0 */
  readonly still?: number | undefined;
}

interface PutCollectionCollectionQuery {
  /** Removes members that the document leaves out. Default: true if it has members */
  readonly clear?: boolean | undefined;
}

interface PutCollectionCollectionMemberQuery {
  /** The kind of the member */
  readonly type?: 'item' | 'collection' | 'library' | undefined;
  /** For a library: adds its items one by one, instead of the library */
  readonly addItems?: boolean | undefined;
  /** Metadata of the membership: key=value sets a key, -key removes it */
  readonly metadata?: readonly string[] | undefined;
}

interface PutCollectionCollectionFolderNameQuery {
  /** Name of the folder: one segment of a path. Default: the name of the collection */
  readonly name?: string | undefined;
}

interface PutCollectionCollectionItemQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'libraryId' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'order' | 'p' | 'projection' | 'result' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'updateFrequency' | 'updateMode' | 'uriType' | 'url'> {
  /** Each read of the library runs the query again */
  readonly autoRefresh?: boolean | undefined;
}

interface PutCollectionCollectionMetadataQuery extends Pick<Shared, 'onlyReturnChanges' | 'output-project' | 'output-projection' | 'skipForbidden'> {
  /** Projection whose incoming stylesheet transforms the body into metadata */
  readonly projection?: string | undefined;
  /** Comma-separated ids of the change sets that the caller has read */
  readonly revision?: string | undefined;
}

interface PutCollectionCollectionMetadataMoveQuery extends Pick<Shared, 'end' | 'uuid'> {
  /** A time code */
  readonly start?: string | undefined;
}

interface PutCollectionCollectionRenameQuery {
  /** The name */
  readonly name: string;
}

interface PutCollectionMetadataGroupQuery extends Pick<Shared, 'conflict' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'starttc' | 'terse' | 'to' | 'track'> {
  /** Content of each collection in the answer */
  readonly content?: readonly ('metadata' | 'merged-access' | 'external')[] | undefined;
}

interface PutDocumentQuery extends Pick<Shared, 'first' | 'number'> {
  /** Adds the total number */
  readonly count?: boolean | undefined;
}

interface PutFileFileAbandonQuery extends Pick<Shared, 'item'> {}

interface PutFileFileHashHashQuery {
  /** Hash algorithm */
  readonly algorithm?: string | undefined;
}

interface PutFileFileRestoreQuery extends Pick<Shared, 'expirationInDays' | 'holdJob' | 'jobmetadata' | 'notification' | 'notificationData' | 'priority' | 'resourceTag' | 'retrievalTier'> {}

interface PutGroupQuery extends Pick<Shared, 'first' | 'ignoreCase' | 'number' | 'role'> {}

interface PutGroupNameQuery {
  /** Removes all members and parents that the document leaves out */
  readonly clear?: boolean | undefined;
}

interface PutImportAccessDefaultGroupGroupQuery {
  /** Level of the group */
  readonly permission: 'NONE' | 'READ' | 'WRITE' | 'ALL';
}

interface PutItemQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'libraryId' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'result' | 'revision' | 'sampleRate' | 'samplerate' | 'save' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'updateFrequency' | 'updateMode' | 'uriType' | 'url'> {
  /** Each read of the library runs the query again */
  readonly autoRefresh?: boolean | undefined;
}

interface PutItemItemMetadataBulkyBulkyQuery extends Pick<Shared, 'end'> {
  /** A time code */
  readonly start?: string | undefined;
  /** The stream */
  readonly stream?: number | undefined;
  /** The channel */
  readonly channel?: number | undefined;
  /** The track */
  readonly itemTrack?: string | undefined;
}

interface PutItemItemShapeShapeComponentComponentFileFileQuery extends Pick<Shared, 'allowReimport'> {}

interface PutItemItemShapeShapeFilenameStorageQuery {
  /** The path of the file below the storage */
  readonly filename: string;
}

interface PutItemMetadataGroupQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'library' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType' | 'url'> {}

interface PutJobJobQuery {
  /** The new priority */
  readonly priority?: 'IMMEDIATE' | 'HIGHEST' | 'HIGH' | 'MEDIUM' | 'LOW' | 'LOWEST' | undefined;
  /** READY: the job continues */
  readonly status?: 'READY' | undefined;
}

interface PutJobSearchQuery extends Pick<Shared, 'first' | 'number'> {
  /** Adds the data of each job */
  readonly metadata?: boolean | undefined;
}

interface PutMetadataFieldFieldGroupQuery extends Pick<Shared, 'data' | 'first' | 'number'> {
  /** Kind of entity whose metadata is searched */
  readonly source?: readonly ('item' | 'collection' | 'global' | 'document')[] | undefined;
  /** Adds the entity of each group */
  readonly includeSource?: boolean | undefined;
  /** Adds the fields of a group */
  readonly includeValue?: boolean | undefined;
  /** Adds the definition of a group */
  readonly includeDefinition?: boolean | undefined;
  /** Only groups of these names */
  readonly group?: readonly string[] | undefined;
  /** Includes the content of groups in definitions */
  readonly traverse?: boolean | undefined;
}

interface PutMetadataFieldFieldGroupGroupQuery {
  /** Removes all other members */
  readonly clear?: boolean | undefined;
}

interface PutReindexIndexQuery {
  /** IN_QUEUE starts from the beginning. PAUSED, IN_PROGRESS (continue) or ABORTED */
  readonly status?: string | undefined;
  /** Sorts in descending order */
  readonly priority?: number | undefined;
}

interface PutRelationRelationQuery {
  /** U: undirected. S: keeps the direction. T: reverses it */
  readonly direction?: 'U' | 'S' | 'T' | undefined;
  /** Metadata of the relation: key=value */
  readonly [name: string]: unknown;
}

interface PutRunnerTaskClaimQuery {
  /** Percent */
  readonly progress?: number | undefined;
}

interface PutSearchMetadataGroupQuery extends Pick<Shared, 'baseURI' | 'closedFiles' | 'conflict' | 'content' | 'count' | 'cursor' | 'defaultValue' | 'displayName' | 'explain' | 'field' | 'first' | 'fresh' | 'from' | 'group' | 'include' | 'includeConstraintValue' | 'includeTransientMetadata' | 'interval' | 'language' | 'mergedExtradata' | 'mergedPermission' | 'mergedType' | 'methodMetadata' | 'methodType' | 'noauth-url' | 'number' | 'p' | 'projection' | 'revision' | 'sampleRate' | 'samplerate' | 'scheme' | 'starttc' | 'storage' | 'storageGroup' | 'storageType' | 'tag' | 'terse' | 'to' | 'track' | 'type' | 'uriType'> {}

interface PutSearchShapeQuery extends Pick<Shared, 'count' | 'cursor' | 'explain' | 'first' | 'fresh' | 'number'> {
  /** Content of each shape in the answer */
  readonly content?: readonly 'metadata'[] | undefined;
}

interface PutSearch2FileQuery extends Pick<Shared, 'count' | 'cursor' | 'explain' | 'first' | 'fresh' | 'includeItem' | 'methodMetadata' | 'methodType' | 'number' | 'scheme' | 'storageType'> {}

interface PutStorageStorageMethodQuery extends Pick<Shared, 'bandwidth'> {
  /** The address, such as file:///srv/media/ */
  readonly url?: string | undefined;
  /** Whether files are read by this method. Default for a new method: true */
  readonly read?: boolean | undefined;
  /** Whether files are written by this method. Default for a new method: true */
  readonly write?: boolean | undefined;
  /** Whether scans use this method. Default for a new method: true */
  readonly browse?: boolean | undefined;
  /** "NONE" for ordinary methods */
  readonly type?: string | undefined;
}

interface PutTransferTransferQuery {
  /** The priority. A higher number takes precedence */
  readonly priority?: number | undefined;
  /** The same by its other name */
  readonly transferPriority?: number | undefined;
}

interface PutUserQuery extends Pick<Shared, 'disabled' | 'first' | 'ignoreCase' | 'number'> {}

interface PutUserNameGroupsQuery {
  /** Removes the user from groups that the document leaves out */
  readonly move?: boolean | undefined;
}

interface PutUserNamePasswordQuery {
  /** Form of the password: plain text */
  readonly type?: 'raw' | undefined;
}

export interface Calls {
  /** Removes the sample library and nothing else. */
  'DELETE /APIinit/sample': Call<None, undefined, types.SampleRemovalDocument>;
  /** Deletes a comment of the guest to which nobody has replied. */
  'DELETE /APInoauth/share/:link/item/:item/annotation/:annotation': Call<DeleteAPInoauthShareLinkItemItemAnnotationAnnotationQuery, undefined, undefined>;
  /** Gives a tus upload of the guest up, and its place among the bounds. What has become an item stays. */
  'DELETE /APInoauth/share/:link/upload/:guestUpload': Call<None, undefined, undefined>;
  /** Removes an auto-projection rule. */
  'DELETE /auto-projection/:rule': Call<None, undefined, undefined>;
  /** Deletes collections. Their members stay. Unknown ids are ignored. */
  'DELETE /collection': Call<DeleteCollectionQuery, undefined, undefined>;
  /** Deletes a collection. Its members stay. */
  'DELETE /collection/:collection': Call<None, undefined, undefined>;
  /** Removes a member from a collection. The entity stays. If no member has the name, an external id with this name is deleted. */
  'DELETE /collection/:collection/:member': Call<DeleteCollectionCollectionMemberQuery, undefined, undefined>;
  /** Removes an access entry from a collection. The entry of the owner cannot be removed. */
  'DELETE /collection/:collection/access/:access': Call<None, undefined, undefined>;
  /** Removes the access entries with these ids from a collection. One unknown id refuses all. */
  'DELETE /collection/:collection/access/bulk': Call<None, types.AccessControlListDocument, undefined>;
  /** Removes a project definition from the collection. */
  'DELETE /collection/:collection/definition/:format': Call<None, undefined, undefined>;
  /** Removes the mappings of the project definition. */
  'DELETE /collection/:collection/definition/:format/asset': Call<None, undefined, undefined>;
  /** Removes a file of extra data of a project definition from the collection. */
  'DELETE /collection/:collection/definition/:format/extradata': Call<None, undefined, undefined>;
  /** Deletes all external ids of the collection. */
  'DELETE /collection/:collection/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the collection. */
  'DELETE /collection/:collection/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes a field group from the main ones of a collection. */
  'DELETE /collection/:collection/field-group/:group': Call<None, undefined, undefined>;
  /** Removes the mapping of a collection to a folder. Files stay where they are. */
  'DELETE /collection/:collection/map-to-folder': Call<None, undefined, undefined>;
  /** Ends a lock on the metadata of a collection. */
  'DELETE /collection/:collection/metadata-lock/:lock': Call<None, undefined, undefined>;
  /** Removes one change set of the metadata of a collection, and computes the metadata again from the others. */
  'DELETE /collection/:collection/metadata/changes/:change': Call<None, undefined, types.MetadataDocument>;
  /** Removes the storage rule for all files of the collection. */
  'DELETE /collection/:collection/storage-rule': Call<None, undefined, undefined>;
  /** Removes the storage rule of the collection for one shape tag. */
  'DELETE /collection/:collection/storage-rule/:tag': Call<None, undefined, undefined>;
  /** Removes the terms of use of a collection. Those of what holds it stay. */
  'DELETE /collection/:collection/usage': Call<None, undefined, undefined>;
  /** Removes a deletion lock. */
  'DELETE /collection/:entity/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Removes all metadata of the deletion lock. */
  'DELETE /collection/:entity/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /collection/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /collection/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /collection/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /collection/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /collection/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /collection/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /collection/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /collection/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /collection/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /collection/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /collection/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /collection/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /collection/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /collection/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /collection/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /collection/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /collection/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /collection/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /collection/site-rule/:rule': Call<None, undefined, undefined>;
  /** Ends the validation of bearer tokens. */
  'DELETE /configuration/auth': Call<None, undefined, undefined>;
  /** Removes how many connections to FTP servers are kept. */
  'DELETE /configuration/ftp-pool': Call<None, undefined, undefined>;
  /** Deletes all job pools. The setting limits all jobs together again. */
  'DELETE /configuration/job-pool': Call<None, undefined, undefined>;
  /** Deletes the job pool of a priority. */
  'DELETE /configuration/job-pool/:priority': Call<None, undefined, undefined>;
  /** Deletes the default priorities. Jobs have MEDIUM unless the request has a priority. */
  'DELETE /configuration/job-priority': Call<None, undefined, undefined>;
  /** Removes one configuration property. Its default applies again. */
  'DELETE /configuration/properties/:key': Call<None, undefined, undefined>;
  /** Removes how long entries of the audit log and jobs are kept. */
  'DELETE /configuration/purging': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /deletion-lock/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /deletion-lock/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /deletion-lock/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /deletion-lock/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /deletion-lock/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /deletion-lock/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /deletion-lock/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Removes a deletion lock. */
  'DELETE /deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Removes all metadata of the deletion lock. */
  'DELETE /deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /deletion-lock/:lock/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /deletion-lock/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /deletion-lock/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /deletion-lock/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /deletion-lock/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /deletion-lock/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /deletion-lock/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /deletion-lock/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes a document with its metadata. */
  'DELETE /document/:document': Call<None, undefined, undefined>;
  /** Removes one change set of the metadata of a document, and computes the metadata again from the others. */
  'DELETE /document/:document/changes/:change': Call<None, undefined, types.MetadataDocument>;
  /** Ends a lock on the metadata of a document. */
  'DELETE /document/:document/metadata-lock/:lock': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /document/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /document/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /document/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /document/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /document/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /document/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /document/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /document/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /document/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /document/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /document/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /document/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /document/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /document/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: errors have no resource of their own. */
  'DELETE /error/:error': Call<None, undefined, undefined>;
  /** Deletes an export location. Running exports continue. */
  'DELETE /export-location/:location': Call<None, undefined, undefined>;
  /** Removes all metadata of the export location. */
  'DELETE /export-location/:location/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /export-location/:location/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes an export template. Exports that have prepared their files continue. */
  'DELETE /export-template/:template': Call<None, undefined, undefined>;
  /** Deletes a namespace and its external ids. */
  'DELETE /external-id/:namespace': Call<None, undefined, undefined>;
  /** Removes an external id from every item and collection. */
  'DELETE /external-id/id/:externalId': Call<None, undefined, undefined>;
  /** Removes a deletion lock. */
  'DELETE /file/:entity/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Removes all metadata of the deletion lock. */
  'DELETE /file/:entity/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /file/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /file/:file': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /file/:file/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /file/:file/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /file/:file/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /file/:file/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /file/:file/metadata/:key*': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /file/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /file/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /file/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /file/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /file/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /file/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /file/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /file/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /file/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes the named groups. */
  'DELETE /group': Call<DeleteGroupQuery, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /group/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /group/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /group/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /group/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /group/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /group/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /group/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /group/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Deletes a group. */
  'DELETE /group/:name': Call<None, undefined, undefined>;
  /** Removes the user or group in the path from the group. */
  'DELETE /group/:name/group/:child': Call<None, undefined, undefined>;
  /** Removes all metadata of the group. */
  'DELETE /group/:name/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /group/:name/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes the user or group in the path from the group. */
  'DELETE /group/:name/user/:user': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /group/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /group/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /group/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /group/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /group/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /group/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /group/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /group/site-rule/:rule': Call<None, undefined, undefined>;
  /** Removes the access entry that a group gets on new items, unless their creator has an own entry for the group. */
  'DELETE /import/access/default/group/:group': Call<None, undefined, undefined>;
  /** Removes the access entry that a group gets on new items of the caller. */
  'DELETE /import/access/group/:group': Call<None, undefined, undefined>;
  /** Sets the properties inside files and their fields to the defaults of this release. */
  'DELETE /import/embedded-metadata': Call<None, undefined, undefined>;
  /** Deletes a profile. Existing items keep their entries. */
  'DELETE /import/settings/:profile': Call<None, undefined, undefined>;
  /** Deletes all external ids of the import settings. */
  'DELETE /import/settings/:profile/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the import settings. */
  'DELETE /import/settings/:profile/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes items: all of them, or none. Unknown ids are ignored. */
  'DELETE /item': Call<DeleteItemQuery, undefined, undefined>;
  /** Removes a deletion lock. */
  'DELETE /item/:entity/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Removes all metadata of the deletion lock. */
  'DELETE /item/:entity/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /item/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /item/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /item/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /item/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /item/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /item/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /item/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /item/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /item/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Deletes an item. Files that nothing else uses are deleted later, unless the caller keeps them. */
  'DELETE /item/:item': Call<DeleteItemItemQuery, undefined, undefined>;
  /** Deletes one external id of the item. Short form of the path with external-id. */
  'DELETE /item/:item/:externalId': Call<None, undefined, undefined>;
  /** Removes an access entry from a item. The entry of the owner cannot be removed. */
  'DELETE /item/:item/access/:access': Call<None, undefined, undefined>;
  /** Removes the access entries with these ids from a item. One unknown id refuses all. */
  'DELETE /item/:item/access/bulk': Call<None, types.AccessControlListDocument, undefined>;
  /** Deletes an annotation with its replies. What is of other users needs WRITE on the item. */
  'DELETE /item/:item/annotation/:annotation': Call<None, undefined, undefined>;
  /** Deletes all external ids of the item. */
  'DELETE /item/:item/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the item. */
  'DELETE /item/:item/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes a field group from the main ones of an item. */
  'DELETE /item/:item/field-group/:group': Call<None, undefined, undefined>;
  /** Answers 501: external ids have another path. */
  'DELETE /item/:item/id/:id': Call<None, undefined, undefined>;
  /** Unlocks an item. Administrators may remove locks of other users. */
  'DELETE /item/:item/lock': Call<None, undefined, undefined>;
  /** Ends a lock on the metadata of an item. */
  'DELETE /item/:item/metadata-lock/:lock': Call<None, undefined, undefined>;
  /** Removes the bulky metadata of the item. */
  'DELETE /item/:item/metadata/bulky': Call<None, undefined, undefined>;
  /** Removes the values of one key from the bulky metadata of the item. */
  'DELETE /item/:item/metadata/bulky/:bulky': Call<DeleteItemItemMetadataBulkyBulkyQuery, undefined, undefined>;
  /** Removes one change set of the metadata of an item, and computes the metadata again from the others. */
  'DELETE /item/:item/metadata/changes/:change': Call<None, undefined, types.MetadataDocument>;
  /** Removes the relations of an item. */
  'DELETE /item/:item/relation': Call<DeleteItemItemRelationQuery, undefined, undefined>;
  /** Removes the relations of an item to another one. */
  'DELETE /item/:item/relation/:other': Call<DeleteItemItemRelationQuery, undefined, undefined>;
  /** Removes a sequence from the item. */
  'DELETE /item/:item/sequence/:format': Call<None, undefined, undefined>;
  /** Deletes all shapes of an item, of all versions. */
  'DELETE /item/:item/shape': Call<DeleteItemItemShapeQuery, undefined, undefined>;
  /** Deletes a shape. Answers the remaining shapes. */
  'DELETE /item/:item/shape/:shape': Call<DeleteItemItemShapeShapeQuery, undefined, types.URIListDocument>;
  /** Deletes a component. Files that nothing else uses are marked for deletion. */
  'DELETE /item/:item/shape/:shape/component/:component': Call<DeleteItemItemShapeShapeComponentComponentQuery, undefined, undefined>;
  /** Removes a file from a component. The file and the component stay. */
  'DELETE /item/:item/shape/:shape/component/:component/file/:file': Call<None, undefined, undefined>;
  /** Removes all metadata of the component. */
  'DELETE /item/:item/shape/:shape/component/:component/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /item/:item/shape/:shape/component/:component/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes the bulky metadata of the component. */
  'DELETE /item/:item/shape/:shape/component/:component/metadata/bulky': Call<None, undefined, undefined>;
  /** Removes the values of one key from the bulky metadata of the component. */
  'DELETE /item/:item/shape/:shape/component/:component/metadata/bulky/:bulky': Call<DeleteItemItemMetadataBulkyBulkyQuery, undefined, undefined>;
  /** Deletes all external ids of the shape. */
  'DELETE /item/:item/shape/:shape/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the shape. */
  'DELETE /item/:item/shape/:shape/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes the storage name rule of a shape. Files keep their names. */
  'DELETE /item/:item/shape/:shape/filename/:storage': Call<DeleteItemItemShapeShapeFilenameStorageQuery, undefined, undefined>;
  /** Removes all metadata of the shape. */
  'DELETE /item/:item/shape/:shape/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /item/:item/shape/:shape/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes the bulky metadata of the shape. */
  'DELETE /item/:item/shape/:shape/metadata/bulky': Call<None, undefined, undefined>;
  /** Removes the values of one key from the bulky metadata of the shape. */
  'DELETE /item/:item/shape/:shape/metadata/bulky/:bulky': Call<DeleteItemItemMetadataBulkyBulkyQuery, undefined, undefined>;
  /** Removes a media type from a shape. A missing media type is no error. */
  'DELETE /item/:item/shape/:shape/mime/:mime': Call<None, undefined, undefined>;
  /** Removes the storage rule for this shape alone. */
  'DELETE /item/:item/shape/:shape/storage-rule': Call<None, undefined, undefined>;
  /** Removes a tag from a shape. A missing tag is no error. */
  'DELETE /item/:item/shape/:shape/tag/:tag': Call<None, undefined, undefined>;
  /** Removes the terms of use of a shape. Those of what holds it stay. */
  'DELETE /item/:item/shape/:shape/usage': Call<None, undefined, undefined>;
  /** Deletes an essence version with its shapes. */
  'DELETE /item/:item/shape/version/:version': Call<None, undefined, undefined>;
  /** Removes the storage rule for all files of the item. */
  'DELETE /item/:item/storage-rule': Call<None, undefined, undefined>;
  /** Removes the storage rule of the item for one shape tag. */
  'DELETE /item/:item/storage-rule/:tag': Call<None, undefined, undefined>;
  /** Removes every timeline from the item. */
  'DELETE /item/:item/timeline': Call<None, undefined, undefined>;
  /** Removes a timeline from the item. */
  'DELETE /item/:item/timeline/:format': Call<None, undefined, undefined>;
  /** Removes the terms of use of an item. Those of what holds it stay. */
  'DELETE /item/:item/usage': Call<None, undefined, undefined>;
  /** Removes all access entries from all items, except those of the owners. */
  'DELETE /item/access': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /item/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /item/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /item/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /item/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /item/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /item/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /item/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /item/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /item/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /item/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 404: no script outlasts its request. */
  'DELETE /javascript/session/:session': Call<None, undefined, undefined>;
  /** Deletes ended jobs. Their files and items stay. Unknown ids are ignored for callers who may read all jobs, and 404 for others. */
  'DELETE /job': Call<DeleteJobQuery, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /job/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /job/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /job/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /job/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /job/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /job/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /job/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Aborts a job. It is ABORTED after its cleanup. */
  'DELETE /job/:job': Call<DeleteJobJobQuery, undefined, types.JobDocument>;
  /** Deletes all external ids of the job. */
  'DELETE /job/:job/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the job. */
  'DELETE /job/:job/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /job/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /job/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /job/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /job/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /job/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /job/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /job/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes libraries. Their items stay. Unknown ids are ignored. */
  'DELETE /library': Call<DeleteLibraryQuery, undefined, types.JobDocument | undefined>;
  /** Removes a deletion lock. */
  'DELETE /library/:entity/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Removes all metadata of the deletion lock. */
  'DELETE /library/:entity/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /library/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /library/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Deletes a library. Its items stay. */
  'DELETE /library/:library': Call<DeleteLibraryLibraryQuery, undefined, types.JobDocument | undefined>;
  /** Removes an item from a library. The item itself stays. */
  'DELETE /library/:library/:item': Call<None, undefined, undefined>;
  /** Removes an access entry from a library. The entry of the owner cannot be removed. */
  'DELETE /library/:library/access/:access': Call<None, undefined, undefined>;
  /** Removes the access entries with these ids from a library. One unknown id refuses all. */
  'DELETE /library/:library/access/bulk': Call<None, types.AccessControlListDocument, undefined>;
  /** Deletes all external ids of the library. */
  'DELETE /library/:library/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the library. */
  'DELETE /library/:library/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the library. */
  'DELETE /library/:library/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /library/:library/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes the storage rule for all files of the library. */
  'DELETE /library/:library/storage-rule': Call<None, undefined, undefined>;
  /** Removes the storage rule of the library for one shape tag. */
  'DELETE /library/:library/storage-rule/:tag': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /library/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'DELETE /library/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /library/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'DELETE /license/slave/:slave': Call<None, undefined, undefined>;
  /** Deletes a field definition. The field leaves its groups, and its values are hidden. */
  'DELETE /metadata-field/:field': Call<None, undefined, undefined>;
  /** Deletes one external id of the metadata-field. Short form of the path with external-id. */
  'DELETE /metadata-field/:field/:externalId': Call<None, undefined, undefined>;
  /** Removes an access entry from a field. Without entries, everybody has all rights. */
  'DELETE /metadata-field/:field/access/:access': Call<None, undefined, undefined>;
  /** Deletes all external ids of the metadata-field. */
  'DELETE /metadata-field/:field/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the metadata-field. */
  'DELETE /metadata-field/:field/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the metadata-field. */
  'DELETE /metadata-field/:field/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /metadata-field/:field/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a field group. Its fields and groups stay. */
  'DELETE /metadata-field/field-group/:group': Call<None, undefined, undefined>;
  /** Removes a field as a member of a field group. */
  'DELETE /metadata-field/field-group/:group/:field': Call<None, undefined, undefined>;
  /** Removes an access entry from a field group. Without entries, everybody has all rights. */
  'DELETE /metadata-field/field-group/:group/access/:access': Call<None, undefined, undefined>;
  /** Deletes all external ids of the field-group. */
  'DELETE /metadata-field/field-group/:group/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the field-group. */
  'DELETE /metadata-field/field-group/:group/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes a group as a member of a field group. */
  'DELETE /metadata-field/field-group/:group/group/:child': Call<None, undefined, undefined>;
  /** Removes all metadata of the field-group. */
  'DELETE /metadata-field/field-group/:group/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /metadata-field/field-group/:group/metadata/:key*': Call<None, undefined, undefined>;
  /** Ends a lock on the metadata that belongs to no entity. */
  'DELETE /metadata-lock/:lock': Call<None, undefined, undefined>;
  /** Removes the metadata schema. */
  'DELETE /metadata-schema': Call<None, undefined, undefined>;
  /** Removes one group from the metadata schema. */
  'DELETE /metadata-schema/:group': Call<None, undefined, undefined>;
  /** Removes one group, field or value from the metadata that it is in. */
  'DELETE /metadata/:uuid': Call<None, undefined, undefined>;
  /** Removes one change set of the metadata that belongs to no entity, and computes the metadata again from the others. */
  'DELETE /metadata/changes/:change': Call<None, undefined, types.MetadataDocument>;
  /** Removes a metadata dataset. */
  'DELETE /metadata/dataset/:dataset': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'DELETE /otif/:otif': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'DELETE /otif/:otif/configuration': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'DELETE /otif/:otif/configuration/:entry': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'DELETE /otif/:otif/resource': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'DELETE /otif/:otif/resource/:name': Call<None, undefined, undefined>;
  /** Deletes the posters of a version of an item. */
  'DELETE /poster/:place/:item': Call<DeletePosterPlaceItemQuery, undefined, undefined>;
  /** Deletes one of the posters of an item. */
  'DELETE /poster/:place/:item/:time': Call<DeletePosterPlaceItemQuery, undefined, undefined>;
  /** Removes a projection with both stylesheets. */
  'DELETE /projection/:projection': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /quota/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /quota/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /quota/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /quota/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /quota/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /quota/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /quota/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes a quota rule with its external ids and notifications. */
  'DELETE /quota/:rule': Call<None, undefined, undefined>;
  /** Deletes all external ids of the quota-rule. */
  'DELETE /quota/:rule/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the quota-rule. */
  'DELETE /quota/:rule/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /quota/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /quota/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /quota/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /quota/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /quota/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /quota/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /quota/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Removes a relation. */
  'DELETE /relation/:relation': Call<None, undefined, undefined>;
  /** Deletes a resource. Thumbnails stay. */
  'DELETE /resource/:type/:resource': Call<None, undefined, undefined>;
  /** Removes a runner. Its tasks go to others at once. It comes back unless its token is revoked. */
  'DELETE /runner/:runner': Call<None, undefined, undefined>;
  /** Gives a task back, as a runner does that stops. */
  'DELETE /runner/task/:claim': Call<None, undefined, undefined>;
  /** Deletes the scheduled requests of the caller. Waiting ones are not carried out. */
  'DELETE /scheduled-request': Call<DeleteScheduledRequestQuery, undefined, undefined>;
  /** Deletes a scheduled request. A waiting one is not carried out. */
  'DELETE /scheduled-request/:request': Call<None, undefined, undefined>;
  /** Deletes a group. Its users stay (SCIM). */
  'DELETE /scim/v2/Groups/:group': Call<None, undefined, unknown | undefined>;
  /** Deletes a user for good (SCIM). */
  'DELETE /scim/v2/Users/:user': Call<None, undefined, unknown | undefined>;
  /** Deletes a secret with its values. What names it stops working. */
  'DELETE /secret/:alias': Call<None, undefined, undefined>;
  /** Removes a value of a secret. */
  'DELETE /secret/:alias/:key': Call<None, undefined, undefined>;
  /** Logs the caller out: ends the session of the request. Without one it changes nothing. `portico-logout` has the address where the provider of the login ends its own session. */
  'DELETE /session': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /session/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /session/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /session/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /session/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /session/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /session/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /session/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes a shape tag. Existing shapes keep the tag. */
  'DELETE /shape-tag/:tag': Call<None, undefined, undefined>;
  /** Removes all metadata of the shape-tag. */
  'DELETE /shape-tag/:tag/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /shape-tag/:tag/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes the script of a shape tag. */
  'DELETE /shape-tag/:tag/script': Call<None, undefined, undefined>;
  /** Removes the storage rule for all files of the shape tag. */
  'DELETE /shape-tag/storage-rule': Call<None, undefined, undefined>;
  /** Removes the storage rule of the shape tag for one shape tag. */
  'DELETE /shape-tag/storage-rule/:tag': Call<None, undefined, undefined>;
  /** Revokes a share. Guests are out at once. The library of a selection goes with its last share. */
  'DELETE /share/:share': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /share/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /share/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /share/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /share/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /share/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /share/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /share/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /site/:site': Call<None, undefined, undefined>;
  /** Removes all metadata of the site. */
  'DELETE /site/:site/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /site/:site/metadata/:key*': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /site/file/rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /site/file/rule/:tag': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /storage/:entity/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /storage/:entity/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /storage/:entity/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /storage/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /storage/:entity/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /storage/:entity/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /storage/:entity/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes a storage and the entries of its files. The bytes stay where they are. */
  'DELETE /storage/:storage': Call<DeleteStorageStorageQuery, undefined, undefined>;
  /** Deletes one external id of the storage. Short form of the path with external-id. */
  'DELETE /storage/:storage/:externalId': Call<None, undefined, undefined>;
  /** Removes the auto-import rule of a storage, if it has one. */
  'DELETE /storage/:storage/auto-import': Call<None, undefined, undefined>;
  /** Cancels the evacuation of a storage, which takes new files again. Moved files stay moved. */
  'DELETE /storage/:storage/evacuate': Call<None, undefined, undefined>;
  /** Deletes all external ids of the storage. */
  'DELETE /storage/:storage/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the storage. */
  'DELETE /storage/:storage/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /storage/:storage/file/:file': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /storage/:storage/file/:file/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /storage/:storage/file/:file/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /storage/:storage/file/:file/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /storage/:storage/file/:file/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/:storage/file/:file/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /storage/:storage/file/path/:path': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /storage/:storage/file/path/:path/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /storage/:storage/file/path/:path/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /storage/:storage/file/path/:path/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /storage/:storage/file/path/:path/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/:storage/file/path/:path/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /storage/:storage/file/uri/:uri': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /storage/:storage/file/uri/:uri/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /storage/:storage/file/uri/:uri/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /storage/:storage/file/uri/:uri/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /storage/:storage/file/uri/:uri/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/:storage/file/uri/:uri/metadata/:key*': Call<None, undefined, undefined>;
  /** Ends the checks of a storage, and forgets what they found. */
  'DELETE /storage/:storage/fixity': Call<None, undefined, undefined>;
  /** Removes all metadata of the storage. */
  'DELETE /storage/:storage/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/:storage/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes the method with this address from a storage. */
  'DELETE /storage/:storage/method': Call<DeleteStorageStorageMethodQuery, undefined, undefined>;
  /** Removes a method from a storage. */
  'DELETE /storage/:storage/method/:method': Call<None, undefined, undefined>;
  /** Removes all metadata of the storage-method. */
  'DELETE /storage/:storage/method/:method/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/:storage/method/:method/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes a deletion lock. */
  'DELETE /storage/file/:entity/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Removes all metadata of the deletion lock. */
  'DELETE /storage/file/:entity/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/file/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /storage/file/:file': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /storage/file/:file/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /storage/file/:file/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /storage/file/:file/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /storage/file/:file/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/file/:file/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /storage/file/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /storage/file/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /storage/file/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /storage/file/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /storage/file/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /storage/file/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /storage/file/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /storage/file/path/:path': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /storage/file/path/:path/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /storage/file/path/:path/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /storage/file/path/:path/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /storage/file/path/:path/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/file/path/:path/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a file as a job. Its bytes and its entry are removed after the grace time. */
  'DELETE /storage/file/uri/:uri': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Deletes the entry of a file that no item uses. Its bytes stay. */
  'DELETE /storage/file/uri/:uri/entity': Call<None, undefined, undefined>;
  /** Deletes all external ids of the file. */
  'DELETE /storage/file/uri/:uri/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the file. */
  'DELETE /storage/file/uri/:uri/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes all metadata of the file. */
  'DELETE /storage/file/uri/:uri/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/file/uri/:uri/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes all notifications for this resource. */
  'DELETE /storage/notification': Call<None, undefined, undefined>;
  /** Deletes a notification. */
  'DELETE /storage/notification/:notification': Call<None, undefined, undefined>;
  /** Deletes all external ids of the notification. */
  'DELETE /storage/notification/:notification/external-id': Call<None, undefined, undefined>;
  /** Deletes one external id of the notification. */
  'DELETE /storage/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Deletes all parked events. */
  'DELETE /storage/notification/:notification/parked': Call<None, undefined, undefined>;
  /** Deletes one parked event. */
  'DELETE /storage/notification/:notification/parked/:sequence': Call<None, undefined, undefined>;
  /** Stops a replay. */
  'DELETE /storage/notification/:notification/replay': Call<None, undefined, undefined>;
  /** Removes a storage group. Its storages stay. */
  'DELETE /storage/storage-group/:group': Call<None, undefined, undefined>;
  /** Removes a storage from a storage group. */
  'DELETE /storage/storage-group/:group/:storage': Call<None, undefined, undefined>;
  /** Answers 501: scans set the state of a storage, and metadata has another path. */
  'DELETE /storage/storage-group/:group/data/:key': Call<None, undefined, undefined>;
  /** Removes all metadata of the storage-group. */
  'DELETE /storage/storage-group/:group/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /storage/storage-group/:group/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes an added step. Jobs that have started keep it. */
  'DELETE /task-definition/:task': Call<None, undefined, undefined>;
  /** Removes all metadata of the task definition. */
  'DELETE /task-definition/:task/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /task-definition/:task/metadata/:key*': Call<None, undefined, undefined>;
  /** Deletes a custom job type with its steps. Running jobs continue. */
  'DELETE /task-definition/jobtype/:type': Call<None, undefined, undefined>;
  /** Deletes an added step. Jobs that have started keep it. */
  'DELETE /task-definition/jobtype/:type/step/:step': Call<None, undefined, undefined>;
  /** Removes all metadata of the task definition. */
  'DELETE /task-definition/jobtype/:type/step/:step/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /task-definition/jobtype/:type/step/:step/metadata/:key*': Call<None, undefined, undefined>;
  /** Removes all task groups. */
  'DELETE /task-group': Call<None, undefined, undefined>;
  /** Removes a task group. */
  'DELETE /task-group/:name': Call<None, undefined, undefined>;
  /** Removes all metadata of the task group. */
  'DELETE /task-group/:name/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /task-group/:name/metadata/:key*': Call<None, undefined, undefined>;
  /** Takes a transcoder out of a task group. */
  'DELETE /task-group/:name/transcoder/:transcoder': Call<None, undefined, undefined>;
  /** Deletes the thumbnails of a version of an item. */
  'DELETE /thumbnail/:place/:item': Call<DeletePosterPlaceItemQuery, undefined, undefined>;
  /** Deletes one of the thumbnails of an item. */
  'DELETE /thumbnail/:place/:item/:time': Call<DeletePosterPlaceItemQuery, undefined, undefined>;
  /** Aborts a tus upload. A completed file stays. */
  'DELETE /upload/:upload': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /user/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Disables a user, or deletes it with hard=true. */
  'DELETE /user/:name': Call<DeleteUserNameQuery, undefined, types.JobDocument>;
  /** Removes an alias of a user. */
  'DELETE /user/:name/alias/:alias': Call<None, undefined, undefined>;
  /** Deletes an access key. */
  'DELETE /user/:name/key/:key': Call<None, undefined, undefined>;
  /** Forgets the address of a user. No more mail comes. */
  'DELETE /user/:name/mail': Call<None, undefined, undefined>;
  /** Removes all metadata of the user. */
  'DELETE /user/:name/metadata': Call<None, undefined, undefined>;
  /** Removes the keys of the path. "*" matches any part. */
  'DELETE /user/:name/metadata/:key*': Call<None, undefined, undefined>;
  /** Closes the user to accounts that have not logged in as the user yet. */
  'DELETE /user/:name/provisioned': Call<None, undefined, undefined>;
  /** Removes all second factors and recovery codes of a user who has lost them. */
  'DELETE /user/:name/second-factor': Call<None, undefined, undefined>;
  /** Removes a second factor. With the last one go the recovery codes. */
  'DELETE /user/:name/second-factor/:factor': Call<None, undefined, undefined>;
  /** Revokes all tokens of a user. */
  'DELETE /user/:name/tokens': Call<DeleteUserNameTokensQuery, undefined, undefined>;
  /** Revokes one token of a user. */
  'DELETE /user/:name/tokens/:id': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'DELETE /user/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'DELETE /vidispine-logs/job/:job': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'DELETE /vidispine-logs/job/:job/upload': Call<None, undefined, undefined>;
  /** Answers 404: no agent can join this service. */
  'DELETE /vxa/:uuid': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'DELETE /vxa/:uuid/job/:job': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'DELETE /vxa/:uuid/mount/:mount': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'GET /APIinit/schema/latest': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'GET /APIinit/schema/latest/:file': Call<None, undefined, undefined>;
  /** A ZIP file for the holder of its address, once. The header Range, with If-Range, goes on where a download broke off. */
  'GET /APInoauth/archive/:archive': Call<GetAPInoauthArchiveArchiveQuery, undefined, Response>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'GET /APInoauth/callback/cloudconvert': Call<None, undefined, undefined>;
  /** The bytes of a file, for callers with a link to read them. */
  'GET /APInoauth/file/:file/data': Call<GetAPInoauthFileFileDataQuery, undefined, Response>;
  /** Answers if the service is reachable. */
  'GET /APInoauth/is-online': Call<None, undefined, string>;
  /** The sheet: a picture with the thumbnails of an item. The document of the sheet has its address. */
  'GET /APInoauth/item/:item/thumbnail/spritesheet/image': Call<GetAPInoauthItemItemThumbnailSpritesheetImageQuery, undefined, Response>;
  /** The providers of security.ini by which people log in at the web page. */
  'GET /APInoauth/login': Call<None, undefined, types.LoginProviderListDocument>;
  /** Begins a login: sends the browser to the provider, with a sealed cookie for its way back. */
  'GET /APInoauth/login/:login': Call<GetAPInoauthLoginLoginQuery, undefined, undefined>;
  /** Ends a login at the provider: begins the session, and sends the browser to the page that was asked for. */
  'GET /APInoauth/login/:login/callback': Call<GetAPInoauthLoginLoginCallbackQuery, undefined, undefined>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'GET /APInoauth/otif/:uuid/resource/:name': Call<None, undefined, undefined>;
  /** One of the posters of an item, for callers with its hash. */
  'GET /APInoauth/poster/:place/:item/:time': Call<GetAPInoauthPosterPlaceItemTimeQuery, undefined, Response>;
  /** The media of a task of a runner, for callers with its address. */
  'GET /APInoauth/runner/task/:claim/source': Call<GetAPInoauthRunnerTaskClaimSourceQuery, undefined, Response>;
  /** Checks all parts of the service. */
  'GET /APInoauth/selftest': Call<None, undefined, types.SelfTestDocument>;
  /** Checks one part of the service. */
  'GET /APInoauth/selftest/:test': Call<None, undefined, types.SelfTestDocument>;
  /** What a share shows, for its guests. */
  'GET /APInoauth/share/:link': Call<None, undefined, types.ShareGuestDocument>;
  /** What guests download of all items as one ZIP file, or a part of it with the header Range. Its first file may be "not-included.txt". */
  'GET /APInoauth/share/:link/archive': Call<None, undefined, Response>;
  /** The items of a share, for its guests. */
  'GET /APInoauth/share/:link/item': Call<GetAPInoauthShareLinkItemQuery, undefined, types.SharedItemListDocument>;
  /** An item of a share with the shapes that guests play or download. */
  'GET /APInoauth/share/:link/item/:item': Call<None, undefined, types.SharedItemDocument>;
  /** The comments of guests of a share on an item, and the replies to them, oldest first. */
  'GET /APInoauth/share/:link/item/:item/annotation': Call<GetAPInoauthShareLinkItemItemAnnotationQuery, undefined, types.SharedAnnotationListDocument>;
  /** A picture of an item of a share. */
  'GET /APInoauth/share/:link/item/:item/picture': Call<GetAPInoauthShareLinkItemItemPictureQuery, undefined, Response>;
  /** The bytes of a shape that guests play or download, or a part of them with the header Range. */
  'GET /APInoauth/share/:link/item/:item/shape/:shape': Call<None, undefined, Response>;
  /** The playlist of a film whose pictures have the mark of the guest, or one of the parts that it names. */
  'GET /APInoauth/share/:link/item/:item/shape/:shape/marked/:part': Call<None, undefined, Response>;
  /** Where each thumbnail of an item that guests play is on the picture of all of them. */
  'GET /APInoauth/share/:link/item/:item/sheet': Call<None, undefined, types.SharedSheetDocument>;
  /** The picture with all thumbnails of an item that guests play. */
  'GET /APInoauth/share/:link/item/:item/sheet/image': Call<None, undefined, Response>;
  /** The HLS playlist of a stream that guests play, with addresses that expire. Who has them plays on until then. */
  'GET /APInoauth/share/:link/item/:item/stream': Call<None, undefined, string>;
  /** The files that the guest has sent, and whether they can be read. */
  'GET /APInoauth/share/:link/upload': Call<None, undefined, types.SharedFileListDocument>;
  /** The offset of a tus upload of the guest, in the headers of the answer. */
  'GET /APInoauth/share/:link/upload/:guestUpload': Call<None, undefined, undefined>;
  /** Thumbnails and posters side by side on one picture, for callers with their hashes. */
  'GET /APInoauth/stitch': Call<GetAPInoauthStitchQuery, undefined, Response>;
  /** The bytes of a file, for players and everybody else with an address by the method of type AUTO. */
  'GET /APInoauth/storage/:storage/file/:file/:key/:name': Call<None, undefined, Response>;
  /** The playlist or the bytes of one rendition of a stream, its subtitles or its thumbnails, for everybody with an address of a manifest. */
  'GET /APInoauth/stream/:shape/:part': Call<GetAPInoauthStreamShapePartQuery, undefined, Response>;
  /** One of the thumbnails of an item, for callers with its hash. */
  'GET /APInoauth/thumbnail/:place/:item/:time': Call<GetAPInoauthPosterPlaceItemTimeQuery, undefined, Response>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'GET /APInoauth/vidispine-logs/job/:file': Call<None, undefined, undefined>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'GET /APInoauth/vidispine-logs/job/:job/report.zip': Call<None, undefined, undefined>;
  /** The presets of analyses. The list is empty, because every analysis measures the same. */
  'GET /analyze-preset': Call<None, undefined, types.URIListDocument>;
  /** Answers 404: every analysis measures the same. */
  'GET /analyze-preset/:preset': Call<None, undefined, undefined>;
  /** The WADL document of this API. */
  'GET /application.wadl': Call<None, undefined, string>;
  /** The names of the auto-projection rules. */
  'GET /auto-projection': Call<None, undefined, types.URIListDocument>;
  /** An auto-projection rule. */
  'GET /auto-projection/:rule': Call<None, undefined, types.AutoProjectionRuleDocument>;
  /** The names of the auto-projection rules that are switched off. */
  'GET /auto-projection/disable': Call<None, undefined, types.URIListDocument>;
  /** The names of the auto-projection rules that are switched on. */
  'GET /auto-projection/enable': Call<None, undefined, types.URIListDocument>;
  /** The collections that the caller may read, the newest first, or those that a search finds. */
  'GET /collection': Call<GetCollectionQuery, undefined, types.CollectionListDocument & Partial<types.SearchPlanDocument>>;
  /** One collection with all members that the caller may read. */
  'GET /collection/:collection': Call<GetCollectionCollectionQuery, undefined, types.CollectionDocument>;
  /** The access entries of a collection, in order of creation. */
  'GET /collection/:collection/access': Call<None, undefined, types.AccessControlListDocument>;
  /** One access entry of a collection. */
  'GET /collection/:collection/access/:access': Call<None, undefined, types.AccessControlDocument>;
  /** The access entry that decides what a user may do with a collection, with an explanation. */
  'GET /collection/:collection/access/explain': Call<GetCollectionCollectionAccessExplainQuery, undefined, types.AccessExplanationDocument>;
  /** A graph of the containers of the collection and its access entries, as a PNG, or in the language DOT. */
  'GET /collection/:collection/access/graph': Call<GetCollectionCollectionAccessGraphQuery, undefined, Response>;
  /** A graph of the containers of the collection and its access entries, in the language DOT. */
  'GET /collection/:collection/access/graph/dot': Call<GetCollectionCollectionAccessGraphQuery, undefined, string>;
  /** The collections above a collection on all levels, the nearest first. */
  'GET /collection/:collection/ancestor': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** The formats in which the collection has a project definition. */
  'GET /collection/:collection/definition': Call<None, undefined, types.URIListDocument>;
  /** A project definition of the collection, with the bytes that were sent. */
  'GET /collection/:collection/definition/:format': Call<None, undefined, Response>;
  /** The items that are mapped to clips of the project definition. */
  'GET /collection/:collection/definition/:format/asset': Call<None, undefined, types.EssenceMappingsDocument>;
  /** A file of extra data of a project definition of the collection, with the bytes that were sent. */
  'GET /collection/:collection/definition/:format/extradata': Call<None, undefined, Response>;
  /** The external ids of the collection. */
  'GET /collection/:collection/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The main field groups of a collection. */
  'GET /collection/:collection/field-group': Call<None, undefined, types.URIListDocument>;
  /** The items of a collection that the caller may read, or those that a search finds. */
  'GET /collection/:collection/item': Call<GetCollectionCollectionItemQuery, undefined, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** The items of a collection that a saved search finds now. */
  'GET /collection/:collection/item/saved/:hash': Call<GetCollectionCollectionItemSavedHashQuery, undefined, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** The access entries that apply to a collection, by user, in order of precedence. */
  'GET /collection/:collection/merged-access': Call<GetCollectionCollectionMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The access entries that apply to a collection, by group. */
  'GET /collection/:collection/merged-access/group': Call<GetCollectionCollectionMergedAccessGroupQuery, undefined, types.AccessControlMergedGroupDocument>;
  /** The metadata of a collection. */
  'GET /collection/:collection/metadata': Call<GetCollectionCollectionMetadataQuery, undefined, types.MetadataDocument>;
  /** The locks on the metadata of a collection. */
  'GET /collection/:collection/metadata-lock': Call<None, undefined, types.MetadataLockListDocument>;
  /** One lock on the metadata of a collection. */
  'GET /collection/:collection/metadata-lock/:lock': Call<None, undefined, types.MetadataLockDocument>;
  /** The change sets of the metadata of a collection, the oldest first. */
  'GET /collection/:collection/metadata/changes': Call<GetCollectionCollectionMetadataChangesQuery, undefined, types.MetadataChangeSetDocument>;
  /** One change set of the metadata of a collection. */
  'GET /collection/:collection/metadata/changes/:change': Call<GetCollectionCollectionMetadataChangesChangeQuery, undefined, types.MetadataChangeSetDocument>;
  /** What changed in the metadata of a collection between two change sets. */
  'GET /collection/:collection/metadata/changes/:change/compareTo/:older': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** What one change set did to the metadata of a collection. */
  'GET /collection/:collection/metadata/changes/:change/compareTo/previous': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** A graph of the newest 100 change sets of the metadata of a collection, as a PNG, or in the language DOT. */
  'GET /collection/:collection/metadata/graph': Call<GetCollectionCollectionMetadataGraphQuery, undefined, Response>;
  /** A graph of the newest 100 change sets of the metadata of a collection, in the language DOT. */
  'GET /collection/:collection/metadata/graph/dot': Call<GetCollectionCollectionMetadataGraphQuery, undefined, string>;
  /** The items of the collection that the caller may read, one after the other, as a sequence. */
  'GET /collection/:collection/sequence-document': Call<None, undefined, types.SequenceDocument>;
  /** The shares of the caller that show the collection, the newest first. */
  'GET /collection/:collection/share': Call<GetCollectionCollectionShareQuery, undefined, types.ShareListDocument>;
  /** The storage rules of the collection: for all its files, and for single shape tags. */
  'GET /collection/:collection/storage-rule': Call<GetCollectionCollectionAncestorQuery, undefined, types.StorageRulesDocument>;
  /** The storage rule of the collection for one shape tag. */
  'GET /collection/:collection/storage-rule/:tag': Call<None, undefined, types.StorageRuleDocument>;
  /** The terms of use of a collection, and those of what holds it. */
  'GET /collection/:collection/usage': Call<None, undefined, types.UsageDocument>;
  /** The sequences of a version of a project for an editing program. Of a project: those of its newest version. */
  'GET /collection/:collection/version/export': Call<GetCollectionCollectionVersionExportQuery, undefined, types.ProjectVersionDocument & Partial<types.ExportStatusDocument>>;
  /** The deletion locks of a collection and its parents. */
  'GET /collection/:entity/deletion-lock': Call<GetCollectionEntityDeletionLockQuery, undefined, types.DeletionLockListDocument>;
  /** One deletion lock. */
  'GET /collection/:entity/deletion-lock/:lock': Call<None, undefined, types.DeletionLockDocument>;
  /** The metadata of the deletion lock. */
  'GET /collection/:entity/deletion-lock/:lock/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /collection/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The notifications for this resource. */
  'GET /collection/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /collection/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /collection/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /collection/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /collection/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /collection/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /collection/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /collection/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /collection/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Answers 501: this service has one site. */
  'GET /collection/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /collection/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /collection/deletion-lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /collection/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /collection/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /collection/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** The searches of collections that the caller has made, the newest first. */
  'GET /collection/history': Call<GetCollectionHistoryQuery, undefined, types.SearchHistoryDocument>;
  /** The notifications for this resource. */
  'GET /collection/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /collection/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /collection/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /collection/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /collection/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /collection/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /collection/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /collection/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /collection/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The collections that a saved search finds now. */
  'GET /collection/saved/:hash': Call<GetCollectionSavedHashQuery, undefined, types.CollectionListDocument & Partial<types.SearchPlanDocument>>;
  /** Answers 501: this service has one site. */
  'GET /collection/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /collection/site-rule/:rule': Call<None, undefined, undefined>;
  /** The names of the configurations below this path. */
  'GET /configuration': Call<None, undefined, types.URIListDocument>;
  /** How bearer tokens are validated. */
  'GET /configuration/auth': Call<None, undefined, types.OAuth2ConfigurationDocument>;
  /** Reads where bulky metadata is kept. */
  'GET /configuration/bulkymetadata': Call<None, undefined, types.BulkyMetadataConfigurationDocument>;
  /** Which pages of other origins may call the API. */
  'GET /configuration/cors': Call<None, undefined, types.CORSConfigurationDocument>;
  /** Reads how many connections to FTP servers are kept. */
  'GET /configuration/ftp-pool': Call<None, undefined, types.FtpPoolConfigurationDocument>;
  /** Reads what a search server of its own would be told. */
  'GET /configuration/indexing': Call<None, undefined, types.IndexingConfigurationDocument>;
  /** The job pools: concurrent jobs of each instance, by priority. */
  'GET /configuration/job-pool': Call<None, undefined, types.JobPoolListDocument>;
  /** The default priorities of jobs, by type. */
  'GET /configuration/job-priority': Call<None, undefined, types.JobPriorityConfigurationDocument>;
  /** Reads where reports of the log go. */
  'GET /configuration/logreport': Call<None, undefined, types.LogReportConfigurationDocument>;
  /** Reads which server is told of measurements. */
  'GET /configuration/metrics': Call<None, undefined, types.MetricsConfigurationDocument>;
  /** Reads the short names of paths in documents. */
  'GET /configuration/path-alias': Call<None, undefined, types.PathAliasConfigurationDocument>;
  /** The configuration properties that are set. */
  'GET /configuration/properties': Call<GetCollectionCollectionAncestorQuery, undefined, types.ConfigurationPropertyListDocument>;
  /** One configuration property. */
  'GET /configuration/properties/:key': Call<None, undefined, types.ConfigurationPropertyDocument>;
  /** Reads how long entries of the audit log and jobs are kept. */
  'GET /configuration/purging': Call<None, undefined, types.DatabasePurgingConfigurationDocument>;
  /** Answers 501: this service uses no paid services. */
  'GET /cost/:path': Call<None, undefined, undefined>;
  /** Answers 501: this service uses no paid services. */
  'GET /cost/estimate/:estimate': Call<None, undefined, undefined>;
  /** The deletion locks of entities that the caller may read, in order of creation. */
  'GET /deletion-lock': Call<GetDeletionLockQuery, undefined, types.DeletionLockListDocument>;
  /** The notifications for this resource. */
  'GET /deletion-lock/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /deletion-lock/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /deletion-lock/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /deletion-lock/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /deletion-lock/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /deletion-lock/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /deletion-lock/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /deletion-lock/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /deletion-lock/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** One deletion lock. */
  'GET /deletion-lock/:lock': Call<None, undefined, types.DeletionLockDocument>;
  /** The metadata of the deletion lock. */
  'GET /deletion-lock/:lock/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /deletion-lock/:lock/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The notifications for this resource. */
  'GET /deletion-lock/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /deletion-lock/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /deletion-lock/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /deletion-lock/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /deletion-lock/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /deletion-lock/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /deletion-lock/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /deletion-lock/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /deletion-lock/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The documents, ordered by name. */
  'GET /document': Call<GetCollectionCollectionAncestorQuery, undefined, types.DocumentListDocument>;
  /** The metadata of a document. */
  'GET /document/:document': Call<GetCollectionCollectionMetadataQuery, undefined, types.MetadataDocument>;
  /** The change sets of the metadata of a document, the oldest first. */
  'GET /document/:document/changes': Call<GetCollectionCollectionMetadataChangesQuery, undefined, types.MetadataChangeSetDocument>;
  /** One change set of the metadata of a document. */
  'GET /document/:document/changes/:change': Call<GetCollectionCollectionMetadataChangesChangeQuery, undefined, types.MetadataChangeSetDocument>;
  /** What changed in the metadata of a document between two change sets. */
  'GET /document/:document/changes/:change/compareTo/:older': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** What one change set did to the metadata of a document. */
  'GET /document/:document/changes/:change/compareTo/previous': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** The locks on the metadata of a document. */
  'GET /document/:document/metadata-lock': Call<None, undefined, types.MetadataLockListDocument>;
  /** One lock on the metadata of a document. */
  'GET /document/:document/metadata-lock/:lock': Call<None, undefined, types.MetadataLockDocument>;
  /** The notifications for this resource. */
  'GET /document/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /document/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /document/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /document/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /document/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /document/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /document/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /document/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /document/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The notifications for this resource. */
  'GET /document/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /document/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /document/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /document/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /document/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /document/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /document/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /document/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /document/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Failed jobs and unreachable storages, the newest first. */
  'GET /error': Call<GetCollectionCollectionAncestorQuery, undefined, types.ErrorLogListDocument>;
  /** Answers 501: errors have no resource of their own. */
  'GET /error/:error': Call<None, undefined, undefined>;
  /** The event feed of entities that the caller may read, in commit order: a page, or a stream of server-sent events. With mine=true a stream also has `job/progress` of own jobs, once a second at most, without a sequence of its own. On an edge, callers that also take a document get one in place of the stream. It has an `ETag`, and is 304 while nothing is new. */
  'GET /event': Call<GetEventQuery, undefined, types.EventListDocument>;
  /** All export locations, by name. */
  'GET /export-location': Call<GetCollectionCollectionAncestorQuery, undefined, types.ExportLocationListDocument>;
  /** One export location. */
  'GET /export-location/:location': Call<None, undefined, types.ExportLocationDocument>;
  /** The metadata of the export location. */
  'GET /export-location/:location/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /export-location/:location/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The script that names the files of an export location. */
  'GET /export-location/:location/script': Call<None, undefined, string>;
  /** The names of the export templates. */
  'GET /export-template': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** An export template. In the format that was sent, it has the same bytes. */
  'GET /export-template/:template': Call<None, undefined, types.ExportTemplateDocument>;
  /** A graph of the elements of an export template, as a PNG, or in the language DOT. */
  'GET /export-template/:template/graph': Call<None, undefined, Response>;
  /** A graph of the elements of an export template, in the language DOT. */
  'GET /export-template/:template/graph/dot': Call<None, undefined, string>;
  /** Files of items as a ZIP file, or a part of it with the header Range. Its first file may be "not-included.txt". A longer selection goes to /item/archive. */
  'GET /export/zip': Call<GetExportZipQuery, undefined, Response>;
  /** All namespaces of external ids, in order of priority. */
  'GET /external-id': Call<None, undefined, types.ExternalIdentifierNamespaceListDocument>;
  /** One namespace of external ids. */
  'GET /external-id/:namespace': Call<None, undefined, types.ExternalIdentifierNamespaceDocument>;
  /** The deletion locks of a file and its parents. */
  'GET /file/:entity/deletion-lock': Call<GetCollectionEntityDeletionLockQuery, undefined, types.DeletionLockListDocument>;
  /** One deletion lock. */
  'GET /file/:entity/deletion-lock/:lock': Call<None, undefined, types.DeletionLockDocument>;
  /** The metadata of the deletion lock. */
  'GET /file/:entity/deletion-lock/:lock/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /file/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** One file. */
  'GET /file/:file': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /file/:file/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /file/:file/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /file/:file/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /file/:file/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /file/:file/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /file/:file/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /file/:file/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /file/:file/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /file/:file/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /file/:file/site/:site': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /file/deletion-lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /file/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /file/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /file/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** The notifications for this resource. */
  'GET /file/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /file/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /file/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /file/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /file/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /file/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /file/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /file/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /file/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The groups, ordered by name. */
  'GET /group': Call<GetGroupQuery, undefined, types.GroupListDocument>;
  /** The notifications for this resource. */
  'GET /group/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /group/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /group/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /group/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /group/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /group/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /group/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /group/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /group/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Answers 501: this service has one site. */
  'GET /group/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /group/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** One group with its users, parents and children. */
  'GET /group/:name': Call<None, undefined, types.GroupDocument>;
  /** The children of a group. */
  'GET /group/:name/children': Call<GetGroupNameChildrenQuery, undefined, types.GroupListDocument>;
  /** The description of the group. */
  'GET /group/:name/description': Call<None, undefined, string>;
  /** The metadata of the group. */
  'GET /group/:name/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /group/:name/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The parents of a group. */
  'GET /group/:name/parents': Call<GetGroupNameChildrenQuery, undefined, types.GroupListDocument>;
  /** Whether the group is a role: 1, or 0. */
  'GET /group/:name/role': Call<None, undefined, string>;
  /** The users of a group. */
  'GET /group/:name/users': Call<GetGroupNameChildrenQuery, undefined, types.UserListDocument>;
  /** The notifications for this resource. */
  'GET /group/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /group/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /group/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /group/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /group/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /group/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /group/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /group/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /group/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Answers 501: this service has one site. */
  'GET /group/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /group/site-rule/:rule': Call<None, undefined, undefined>;
  /** Whether the service can answer requests: if not, the same document with 503. */
  'GET /health': Call<None, undefined, types.HealthDocument>;
  /** Whether the process runs. */
  'GET /health/live': Call<None, undefined, types.HealthDocument>;
  /** Whether the service can answer requests: if not, the same document with 503. */
  'GET /health/ready': Call<None, undefined, types.HealthDocument>;
  /** The groups that get an access entry on new items of the caller. */
  'GET /import/access': Call<None, undefined, types.ImportAccessControlListDocument>;
  /** The groups that get an access entry on new items, unless their creator has an own entry for the group. */
  'GET /import/access/default': Call<None, undefined, types.ImportAccessControlListDocument>;
  /** The properties inside files that imports read, and the metadata fields that take them. */
  'GET /import/embedded-metadata': Call<None, undefined, types.EmbeddedMetadataDocument>;
  /** An import of a table of metadata: its counts and its problems. */
  'GET /import/metadata-table/:table': Call<GetCollectionCollectionAncestorQuery, undefined, types.MetadataTableDocument>;
  /** The ids of the profiles. */
  'GET /import/settings': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One profile. */
  'GET /import/settings/:profile': Call<None, undefined, types.ImportSettingsDocument>;
  /** The external ids of the import settings. */
  'GET /import/settings/:profile/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The storage that would get a new file now. */
  'GET /import/storage': Call<GetImportStorageQuery, undefined, types.StorageDocument>;
  /** The items that the caller may read, the newest first, or those that a search finds. */
  'GET /item': Call<GetItemQuery, undefined, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** The deletion locks of an item and its parents. */
  'GET /item/:entity/deletion-lock': Call<GetCollectionEntityDeletionLockQuery, undefined, types.DeletionLockListDocument>;
  /** One deletion lock. */
  'GET /item/:entity/deletion-lock/:lock': Call<None, undefined, types.DeletionLockDocument>;
  /** The metadata of the deletion lock. */
  'GET /item/:entity/deletion-lock/:lock/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /item/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The notifications for this resource. */
  'GET /item/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /item/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /item/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /item/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /item/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /item/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /item/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /item/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /item/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Answers 501: this service has one site. */
  'GET /item/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /item/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** One item, with the requested content. */
  'GET /item/:item': Call<GetItemItemQuery, undefined, types.ItemDocument>;
  /** The access entries of a item, in order of creation. */
  'GET /item/:item/access': Call<None, undefined, types.AccessControlListDocument>;
  /** One access entry of a item. */
  'GET /item/:item/access/:access': Call<None, undefined, types.AccessControlDocument>;
  /** The access entry that decides what a user may do with a item, with an explanation. */
  'GET /item/:item/access/explain': Call<GetCollectionCollectionAccessExplainQuery, undefined, types.AccessExplanationDocument>;
  /** A graph of the containers of the item and its access entries, as a PNG, or in the language DOT. */
  'GET /item/:item/access/graph': Call<GetCollectionCollectionAccessGraphQuery, undefined, Response>;
  /** A graph of the containers of the item and its access entries, in the language DOT. */
  'GET /item/:item/access/graph/dot': Call<GetCollectionCollectionAccessGraphQuery, undefined, string>;
  /** The annotations of an item, oldest first. As JSON-LD: a page of Web Annotations. */
  'GET /item/:item/annotation': Call<GetItemItemAnnotationQuery, undefined, types.AnnotationListDocument>;
  /** One annotation of an item. As JSON-LD: a Web Annotation. */
  'GET /item/:item/annotation/:annotation': Call<None, undefined, types.AnnotationDocument>;
  /** The annotations of an item as markers, by time: as a sheet (CSV), an edit decision list, Final Cut Pro XML, OpenTimelineIO or WebVTT. */
  'GET /item/:item/annotation/markers': Call<GetItemItemAnnotationMarkersQuery, undefined, Response>;
  /** Up to 10 users who may read an item, for those who may write annotations on it. A text may mention them, and they may act. */
  'GET /item/:item/annotation/people': Call<GetItemItemAnnotationPeopleQuery, undefined, types.AnnotationPeopleDocument>;
  /** The collections that contain the item. */
  'GET /item/:item/collections': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'GET /item/:item/complex-job': Call<None, undefined, undefined>;
  /** The external ids of the item. */
  'GET /item/:item/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The main field groups of an item. */
  'GET /item/:item/field-group': Call<None, undefined, types.URIListDocument>;
  /** Answers 501: external ids have another path. */
  'GET /item/:item/id': Call<None, undefined, undefined>;
  /** The libraries that contain the item. */
  'GET /item/:item/library': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** The lock of an item: its user and when it ends. */
  'GET /item/:item/lock': Call<None, undefined, types.LockDocument>;
  /** The loudness of a shape by EBU R 128, after its analysis. */
  'GET /item/:item/loudness': Call<GetItemItemLoudnessQuery, undefined, types.LoudnessDocument>;
  /** The access entries that apply to a item, by user, in order of precedence. */
  'GET /item/:item/merged-access': Call<GetCollectionCollectionMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The access entries that apply to a item, by group. */
  'GET /item/:item/merged-access/group': Call<GetCollectionCollectionMergedAccessGroupQuery, undefined, types.AccessControlMergedGroupDocument>;
  /** The metadata of an item. */
  'GET /item/:item/metadata': Call<GetItemItemMetadataQuery, undefined, types.MetadataListDocument & Partial<types.TerseMetadataListDocument>>;
  /** The locks on the metadata of an item. */
  'GET /item/:item/metadata-lock': Call<None, undefined, types.MetadataLockListDocument>;
  /** One lock on the metadata of an item. */
  'GET /item/:item/metadata-lock/:lock': Call<None, undefined, types.MetadataLockDocument>;
  /** The keys of the bulky metadata of the item. */
  'GET /item/:item/metadata/bulky': Call<None, undefined, types.URIListDocument>;
  /** The values of one key in the bulky metadata of the item. */
  'GET /item/:item/metadata/bulky/:bulky': Call<DeleteItemItemMetadataBulkyBulkyQuery, undefined, types.BulkyMetadataDocument>;
  /** The values of one key in the bulky metadata of the item, as a file. */
  'GET /item/:item/metadata/bulky/:bulky/as-file': Call<None, undefined, Response>;
  /** The change sets of the metadata of an item, the oldest first. */
  'GET /item/:item/metadata/changes': Call<GetCollectionCollectionMetadataChangesQuery, undefined, types.MetadataChangeSetDocument>;
  /** One change set of the metadata of an item. */
  'GET /item/:item/metadata/changes/:change': Call<GetCollectionCollectionMetadataChangesChangeQuery, undefined, types.MetadataChangeSetDocument>;
  /** What changed in the metadata of an item between two change sets. */
  'GET /item/:item/metadata/changes/:change/compareTo/:older': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** What one change set did to the metadata of an item. */
  'GET /item/:item/metadata/changes/:change/compareTo/previous': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** The subtitles of an item as SCC, for captions of CEA-608: the timed values of stl_text. */
  'GET /item/:item/metadata/export/scc': Call<GetItemItemMetadataExportSccQuery, undefined, string>;
  /** The subtitles of an item as TTML: the timed values of stl_text. */
  'GET /item/:item/metadata/export/ttml': Call<GetItemItemMetadataExportSccQuery, undefined, Response>;
  /** A graph of the newest 100 change sets of the metadata of an item, as a PNG, or in the language DOT. */
  'GET /item/:item/metadata/graph': Call<GetCollectionCollectionMetadataGraphQuery, undefined, Response>;
  /** A graph of the newest 100 change sets of the metadata of an item, in the language DOT. */
  'GET /item/:item/metadata/graph/dot': Call<GetCollectionCollectionMetadataGraphQuery, undefined, string>;
  /** Answers 501: another path exports. */
  'GET /item/:item/nle-export': Call<None, undefined, undefined>;
  /** The resources that have the posters of an item. */
  'GET /item/:item/posterresource': Call<DeletePosterPlaceItemQuery, undefined, types.URIListDocument>;
  /** The relations of an item to items that the caller may read. Other query parameters filter by metadata. */
  'GET /item/:item/relation': Call<GetItemItemRelationQuery, undefined, types.ItemRelationListDocument>;
  /** How long a restore of the archived files of an item takes, and what it costs by the prices of the operator. */
  'GET /item/:item/restore': Call<GetItemItemRestoreQuery, undefined, types.RestoreDocument>;
  /** The formats in which the item has a sequence. */
  'GET /item/:item/sequence': Call<None, undefined, types.SequenceListDocument>;
  /** A sequence of the item. The format "vidispine" is XML. Other formats have the bytes that were sent. */
  'GET /item/:item/sequence/:format': Call<None, undefined, types.SequenceDocument>;
  /** Answers 501: a sequence belongs to an item. */
  'GET /item/:item/sequence/:format/extradata': Call<None, undefined, undefined>;
  /** The sequence of the item for an editing program: as it was stored, or as an EDL, Final Cut Pro 7 XML or OpenTimelineIO. */
  'GET /item/:item/sequence/export': Call<GetCollectionCollectionVersionExportQuery, undefined, types.SequenceDocument & Partial<types.ExportStatusDocument>>;
  /** The shapes of an item. */
  'GET /item/:item/shape': Call<GetItemItemShapeQuery, undefined, types.URIListDocument>;
  /** One shape with its components and their files. */
  'GET /item/:item/shape/:shape': Call<GetItemItemShapeShapeQuery, undefined, types.ShapeDocument>;
  /** The components of a shape. */
  'GET /item/:item/shape/:shape/component': Call<GetItemItemShapeShapeComponentQuery, undefined, types.ComponentListDocument>;
  /** The files of a component. With full=true: the component. */
  'GET /item/:item/shape/:shape/component/:component': Call<GetItemItemShapeShapeComponentComponentQuery, undefined, types.FileListDocument & Partial<types.ComponentDocument>>;
  /** The bytes of a component, as those of a shape. */
  'GET /item/:item/shape/:shape/component/:component/data': Call<GetItemItemShapeShapeComponentComponentDataQuery, undefined, Response>;
  /** The metadata of the component. */
  'GET /item/:item/shape/:shape/component/:component/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /item/:item/shape/:shape/component/:component/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The keys of the bulky metadata of the component. */
  'GET /item/:item/shape/:shape/component/:component/metadata/bulky': Call<None, undefined, types.URIListDocument>;
  /** The values of one key in the bulky metadata of the component. */
  'GET /item/:item/shape/:shape/component/:component/metadata/bulky/:bulky': Call<DeleteItemItemMetadataBulkyBulkyQuery, undefined, types.BulkyMetadataDocument>;
  /** The values of one key in the bulky metadata of the component, as a file. */
  'GET /item/:item/shape/:shape/component/:component/metadata/bulky/:bulky/as-file': Call<None, undefined, Response>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'GET /item/:item/shape/:shape/cpl': Call<None, undefined, undefined>;
  /** The bytes of a shape with its media type, or a part of them with the header Range. Video, audio and safe pictures are shown by browsers, other bytes are stored. */
  'GET /item/:item/shape/:shape/data': Call<GetItemItemShapeShapeComponentComponentDataQuery, undefined, Response>;
  /** The external ids of the shape. */
  'GET /item/:item/shape/:shape/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The files of a shape. */
  'GET /item/:item/shape/:shape/file': Call<GetItemItemShapeShapeFileQuery, undefined, types.FileListDocument>;
  /** The storage name rules of a shape: addresses and names. */
  'GET /item/:item/shape/:shape/filename': Call<None, undefined, types.URIListDocument>;
  /** A graph of the components of a shape and their files, as a PNG, or in the language DOT. */
  'GET /item/:item/shape/:shape/graph': Call<None, undefined, Response>;
  /** A graph of the components of a shape and their files, in the language DOT. */
  'GET /item/:item/shape/:shape/graph/dot': Call<None, undefined, string>;
  /** The parts of a shape that the caller names, as an EDL. */
  'GET /item/:item/shape/:shape/highlighter-edl': Call<GetItemItemShapeShapeHighlighterEdlQuery, undefined, string>;
  /** The metadata of the shape. */
  'GET /item/:item/shape/:shape/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /item/:item/shape/:shape/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The keys of the bulky metadata of the shape. */
  'GET /item/:item/shape/:shape/metadata/bulky': Call<None, undefined, types.URIListDocument>;
  /** The values of one key in the bulky metadata of the shape. */
  'GET /item/:item/shape/:shape/metadata/bulky/:bulky': Call<DeleteItemItemMetadataBulkyBulkyQuery, undefined, types.BulkyMetadataDocument>;
  /** The values of one key in the bulky metadata of the shape, as a file. */
  'GET /item/:item/shape/:shape/metadata/bulky/:bulky/as-file': Call<None, undefined, Response>;
  /** The media types of a shape. */
  'GET /item/:item/shape/:shape/mime': Call<None, undefined, types.URIListDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /item/:item/shape/:shape/pfd': Call<None, undefined, undefined>;
  /** The parts of a shape as an EDL. A comment at each has the rectangle that the caller names. */
  'GET /item/:item/shape/:shape/smartcrop-edl': Call<GetItemItemShapeShapeSmartcropEdlQuery, undefined, string>;
  /** The storage rule in effect for a shape. */
  'GET /item/:item/shape/:shape/storage-rule': Call<GetItemItemShapeShapeStorageRuleQuery, undefined, types.StorageRulesDocument>;
  /** The tags of a shape. */
  'GET /item/:item/shape/:shape/tag': Call<GetItemItemShapeShapeTagQuery, undefined, types.URIListDocument>;
  /** The terms of use of a shape, and those of what holds it. */
  'GET /item/:item/shape/:shape/usage': Call<None, undefined, types.UsageDocument>;
  /** The essence versions of an item. */
  'GET /item/:item/shape/version': Call<None, undefined, types.EssenceVersionListDocument>;
  /** The shapes of one essence version. */
  'GET /item/:item/shape/version/:version': Call<None, undefined, types.EssenceVersionDocument>;
  /** The state of an essence version under review, with the newest hundred states that it had. */
  'GET /item/:item/shape/version/:version/approval': Call<None, undefined, types.ApprovalDocument>;
  /** The shares of the caller that show the item, the newest first. Also, by which share a guest sent it. */
  'GET /item/:item/share': Call<GetCollectionCollectionShareQuery, undefined, types.ShareListDocument>;
  /** The storage rules of the item: for all its files, and for single shape tags. */
  'GET /item/:item/storage-rule': Call<GetCollectionCollectionAncestorQuery, undefined, types.StorageRulesDocument>;
  /** The storage rule of the item for one shape tag. */
  'GET /item/:item/storage-rule/:tag': Call<None, undefined, types.StorageRuleDocument>;
  /** The manifest of the stream of an item, with addresses that expire. Everybody who has it can play the stream until then. */
  'GET /item/:item/stream': Call<GetItemItemStreamQuery, undefined, string>;
  /** The positions of the thumbnails of an item on the sheet, as a document or as WebVTT for players. */
  'GET /item/:item/thumbnail/spritesheet': Call<GetItemItemThumbnailSpritesheetQuery, undefined, types.ThumbnailSpriteSheetDocument>;
  /** The sheet: a picture with the thumbnails of an item. The document of the sheet has its address. */
  'GET /item/:item/thumbnail/spritesheet/image': Call<GetAPInoauthItemItemThumbnailSpritesheetImageQuery, undefined, Response>;
  /** The resources that have the thumbnails of an item. */
  'GET /item/:item/thumbnailresource': Call<DeletePosterPlaceItemQuery, undefined, types.URIListDocument>;
  /** The formats in which the item has a timeline. */
  'GET /item/:item/timeline': Call<None, undefined, types.URIListDocument>;
  /** A timeline of the item, with the bytes that were sent. */
  'GET /item/:item/timeline/:format': Call<None, undefined, Response>;
  /** The addresses of the files of an item. */
  'GET /item/:item/uri': Call<GetItemItemUriQuery, undefined, types.URIListDocument>;
  /** The terms of use of an item, and those of what holds it. */
  'GET /item/:item/usage': Call<None, undefined, types.UsageDocument>;
  /** The addresses of a waveform picture for each audio track of a shape, one per line. */
  'GET /item/:item/waveform/alltracks': Call<GetItemItemWaveformAlltracksQuery, undefined, string>;
  /** Answers 501: waveforms have other paths. */
  'GET /item/:item/waveform/data': Call<None, undefined, undefined>;
  /** The waveform of a shape as a picture, with the maximum of the given channels. */
  'GET /item/:item/waveform/image': Call<GetItemItemWaveformAlltracksQuery, undefined, Response>;
  /** The address of that picture. It needs the credentials of the caller. */
  'GET /item/:item/waveform/imageURI': Call<GetItemItemWaveformAlltracksQuery, undefined, string>;
  /** The waveform of a shape, after its analysis. */
  'GET /item/:item/waveform/values': Call<GetItemItemWaveformValuesQuery, undefined, types.WaveformDataDocument>;
  /** What waits for the caller on up to 100 items: open annotations, and reviews. Annotations are for whom they are assigned to or name, and reviews for who may give them. */
  'GET /item/annotation/waiting': Call<GetItemAnnotationWaitingQuery, undefined, types.WaitingListDocument>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /item/deletion-lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /item/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /item/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /item/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** The searches of items that the caller has made, the newest first. */
  'GET /item/history': Call<GetCollectionHistoryQuery, undefined, types.SearchHistoryDocument>;
  /** The notifications for this resource. */
  'GET /item/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /item/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /item/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /item/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /item/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /item/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /item/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /item/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /item/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The items that a saved search finds now. */
  'GET /item/saved/:hash': Call<GetItemSavedHashQuery, undefined, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** Answers 501: this service has one site. */
  'GET /item/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /item/site-rule/:rule': Call<None, undefined, undefined>;
  /** The running scripts. The list is empty, because each script ends within a second. */
  'GET /javascript/session': Call<None, undefined, string>;
  /** Answers 404: no script outlasts its request. */
  'GET /javascript/session/:session': Call<None, undefined, undefined>;
  /** Jobs of the caller or of everybody, the newest first. Jobs without a user, such as those of hot folders, belong to administrators. */
  'GET /job': Call<GetJobQuery, undefined, types.JobListDocument>;
  /** The notifications for this resource. */
  'GET /job/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /job/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /job/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /job/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /job/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /job/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /job/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /job/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /job/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** One job with its data and the attempts of its steps. */
  'GET /job/:job': Call<GetJobJobQuery, undefined, types.JobDocument>;
  /** The external ids of the job. */
  'GET /job/:job/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** Problems that block one job. */
  'GET /job/:job/problem': Call<None, undefined, types.JobProblemListDocument>;
  /** The notifications for this resource. */
  'GET /job/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /job/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /job/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /job/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /job/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /job/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /job/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /job/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /job/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Problems that block jobs, the oldest first. */
  'GET /job/problem': Call<None, undefined, types.JobProblemListDocument>;
  /** The names of all job types, with custom ones. */
  'GET /jobtype': Call<None, undefined, types.URIListDocument>;
  /** The libraries that the caller may read, the newest first. */
  'GET /library': Call<GetLibraryQuery, undefined, types.URIListDocument>;
  /** The deletion locks of a library and its parents. */
  'GET /library/:entity/deletion-lock': Call<GetCollectionEntityDeletionLockQuery, undefined, types.DeletionLockListDocument>;
  /** One deletion lock. */
  'GET /library/:entity/deletion-lock/:lock': Call<None, undefined, types.DeletionLockDocument>;
  /** The metadata of the deletion lock. */
  'GET /library/:entity/deletion-lock/:lock/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /library/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service has one site. */
  'GET /library/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /library/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** The items of a library that the caller may read, the newest first. With autoRefresh the query runs first. */
  'GET /library/:library': Call<GetLibraryLibraryQuery, undefined, types.ItemListDocument>;
  /** The access entries of a library, in order of creation. */
  'GET /library/:library/access': Call<None, undefined, types.AccessControlListDocument>;
  /** One access entry of a library. */
  'GET /library/:library/access/:access': Call<None, undefined, types.AccessControlDocument>;
  /** The access entry that decides what a user may do with a library, with an explanation. */
  'GET /library/:library/access/explain': Call<GetCollectionCollectionAccessExplainQuery, undefined, types.AccessExplanationDocument>;
  /** A graph of the containers of the library and its access entries, as a PNG, or in the language DOT. */
  'GET /library/:library/access/graph': Call<GetCollectionCollectionAccessGraphQuery, undefined, Response>;
  /** A graph of the containers of the library and its access entries, in the language DOT. */
  'GET /library/:library/access/graph/dot': Call<GetCollectionCollectionAccessGraphQuery, undefined, string>;
  /** The external ids of the library. */
  'GET /library/:library/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The access entries that apply to a library, by user, in order of precedence. */
  'GET /library/:library/merged-access': Call<GetCollectionCollectionMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The access entries that apply to a library, by group. */
  'GET /library/:library/merged-access/group': Call<GetCollectionCollectionMergedAccessGroupQuery, undefined, types.AccessControlMergedGroupDocument>;
  /** The metadata of the library. */
  'GET /library/:library/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /library/:library/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The refresh settings of a library. */
  'GET /library/:library/settings': Call<None, undefined, types.LibrarySettingsDocument>;
  /** The shares of the caller that show the library, the newest first. */
  'GET /library/:library/share': Call<GetCollectionCollectionShareQuery, undefined, types.ShareListDocument>;
  /** The storage rules of the library: for all its files, and for single shape tags. */
  'GET /library/:library/storage-rule': Call<GetCollectionCollectionAncestorQuery, undefined, types.StorageRulesDocument>;
  /** The storage rule of the library for one shape tag. */
  'GET /library/:library/storage-rule/:tag': Call<None, undefined, types.StorageRuleDocument>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /library/deletion-lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /library/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /library/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'GET /library/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /library/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /library/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license/slave': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license/slave/:slave': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license/slave/:slave/license': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license/slave/license': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license/slave/license/:slave': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'GET /license/transcoder': Call<None, undefined, undefined>;
  /** The audit log, the newest entries first: changes, refusals, and requests without a change. */
  'GET /log': Call<GetLogQuery, undefined, types.AuditLogDocument>;
  /** The audit log as a file, the newest entries first. */
  'GET /log/export': Call<GetLogExportQuery, undefined, types.AuditLogDocument>;
  /** Copies and moves of files between storages, the newest first. */
  'GET /log/transfer-log': Call<GetLogTransferLogQuery, undefined, types.TransferLogListDocument>;
  /** The metadata that belongs to no entity. */
  'GET /metadata': Call<GetCollectionCollectionMetadataQuery, undefined, types.MetadataDocument>;
  /** The metadata fields ordered by name, ignoring case and punctuation. */
  'GET /metadata-field': Call<GetMetadataFieldQuery, undefined, types.MetadataFieldListDocument>;
  /** The definition of one metadata field. */
  'GET /metadata-field/:field': Call<GetMetadataFieldFieldQuery, undefined, types.MetadataFieldDocument>;
  /** Answers 501: the data of a field have another path. */
  'GET /metadata-field/:field/:externalId': Call<None, undefined, undefined>;
  /** The access entries of a field, in order of creation. */
  'GET /metadata-field/:field/access': Call<GetCollectionCollectionAncestorQuery, undefined, types.MetadataFieldAccessControlListDocument>;
  /** One access entry of a field. */
  'GET /metadata-field/:field/access/:access': Call<None, undefined, types.MetadataFieldAccessControlDocument>;
  /** The enumeration of a field, for forms. Values of other fields do not restrict it. */
  'GET /metadata-field/:field/allowed-values': Call<None, undefined, types.ConstraintValueListDocument>;
  /** The external ids of the metadata-field. */
  'GET /metadata-field/:field/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The rights of a user on one metadata field. */
  'GET /metadata-field/:field/merged-access': Call<GetMetadataFieldFieldMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The metadata of the metadata-field. */
  'GET /metadata-field/:field/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /metadata-field/:field/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The enumeration of a field: suggested values for forms. */
  'GET /metadata-field/:field/values': Call<GetMetadataFieldFieldValuesQuery, undefined, types.SimpleMetadataDocument>;
  /** The field groups that the caller may read, ordered by name, ignoring case and punctuation. */
  'GET /metadata-field/field-group': Call<GetMetadataFieldFieldGroupQuery, undefined, types.MetadataFieldGroupListDocument>;
  /** One field group with its members, the definitions of its fields, and the data of all of them. */
  'GET /metadata-field/field-group/:group': Call<GetMetadataFieldFieldGroupGroupQuery, undefined, types.MetadataFieldGroupDocument>;
  /** The access entries of a field group, in order of creation. */
  'GET /metadata-field/field-group/:group/access': Call<GetCollectionCollectionAncestorQuery, undefined, types.MetadataFieldAccessControlListDocument>;
  /** One access entry of a field group. */
  'GET /metadata-field/field-group/:group/access/:access': Call<None, undefined, types.MetadataFieldAccessControlDocument>;
  /** The external ids of the field-group. */
  'GET /metadata-field/field-group/:group/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The rights of a user on one field group and its members. */
  'GET /metadata-field/field-group/:group/merged-access': Call<GetMetadataFieldFieldMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The metadata of the field-group. */
  'GET /metadata-field/field-group/:group/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /metadata-field/field-group/:group/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The rights of a user on the field groups and their members. */
  'GET /metadata-field/field-group/merged-access': Call<GetMetadataFieldFieldGroupMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The rights of a user on the metadata fields. */
  'GET /metadata-field/merged-access': Call<GetMetadataFieldFieldGroupMergedAccessQuery, undefined, types.AccessControlMergedDocument>;
  /** The XML Schema or JSON Schema of metadata in its terse form, with an element for each field. */
  'GET /metadata-field/terse-schema': Call<None, undefined, string>;
  /** The locks on the metadata that belongs to no entity. */
  'GET /metadata-lock': Call<None, undefined, types.MetadataLockListDocument>;
  /** One lock on the metadata that belongs to no entity. */
  'GET /metadata-lock/:lock': Call<None, undefined, types.MetadataLockDocument>;
  /** The metadata schema: fields and subgroups of each group. */
  'GET /metadata-schema': Call<None, undefined, types.MetadataSchemaDocument>;
  /** The fields and subgroups of one group in the metadata schema. */
  'GET /metadata-schema/:group': Call<None, undefined, types.MetadataSchemaGroupDocument>;
  /** One group, field or value of any metadata, by its uuid. */
  'GET /metadata/:uuid': Call<None, undefined, types.MetadataEntryDocument>;
  /** The change sets of the metadata that belongs to no entity, the oldest first. */
  'GET /metadata/changes': Call<GetCollectionCollectionMetadataChangesQuery, undefined, types.MetadataChangeSetDocument>;
  /** One change set of the metadata that belongs to no entity. */
  'GET /metadata/changes/:change': Call<GetCollectionCollectionMetadataChangesChangeQuery, undefined, types.MetadataChangeSetDocument>;
  /** What changed in the metadata that belongs to no entity between two change sets. */
  'GET /metadata/changes/:change/compareTo/:older': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** What one change set did to the metadata that belongs to no entity. */
  'GET /metadata/changes/:change/compareTo/previous': Call<GetCollectionCollectionMetadataChangesChangeCompareToOlderQuery, undefined, types.MetadataDocument>;
  /** The metadata datasets, ordered by name. */
  'GET /metadata/dataset': Call<None, undefined, types.MetadataDatasetListDocument>;
  /** A metadata dataset, with the bytes that were sent. */
  'GET /metadata/dataset/:dataset': Call<None, undefined, Response>;
  /** All schema migrations with their progress, the oldest first. */
  'GET /metadata/migration': Call<GetAPInoauthShareLinkItemItemAnnotationQuery, undefined, types.MetadataSchemaMigrationListDocument>;
  /** One schema migration with its progress. */
  'GET /metadata/migration/:migration': Call<None, undefined, types.MetadataSchemaMigrationDocument>;
  /** The metrics, in the text format of Prometheus. */
  'GET /metrics': Call<None, undefined, string>;
  /** The version of this program and the migrations that its database has run, the newest first. */
  'GET /migration': Call<None, undefined, types.MigrationListDocument>;
  /** The notifications for this resource. */
  'GET /notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The OpenAPI 3.1 document of this API. */
  'GET /openapi.json': Call<GetOpenapiJsonQuery, undefined, unknown>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'GET /otif': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'GET /otif/:otif': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'GET /otif/:otif/configuration': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'GET /otif/:otif/configuration/:entry': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'GET /otif/:otif/resource': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'GET /otif/:otif/resource/:name': Call<None, undefined, undefined>;
  /** Answers 501: pictures belong to an item. */
  'GET /poster': Call<None, undefined, undefined>;
  /** Answers 501: pictures belong to an item. */
  'GET /poster/:place': Call<None, undefined, undefined>;
  /** The times or addresses of the posters of an item. A caller that accepts only images gets the first one. */
  'GET /poster/:place/:item': Call<GetPosterPlaceItemQuery, undefined, types.URIListDocument>;
  /** One of the posters of an item: the one at the time, or the last one before it. */
  'GET /poster/:place/:item/:time': Call<GetAPInoauthPosterPlaceItemTimeQuery, undefined, Response>;
  /** Copies one of the posters of an item to a folder, a storage, a bucket or a web server, as a job. */
  'GET /poster/:place/:item/:time/export': Call<GetPosterPlaceItemTimeExportQuery, undefined, types.JobDocument>;
  /** The names of the projections. */
  'GET /projection': Call<GetProjectionQuery, undefined, types.URIListDocument>;
  /** The stylesheet of a projection for incoming metadata, with the bytes that were sent. */
  'GET /projection/:projection/incoming': Call<None, undefined, Response>;
  /** The stylesheet of a projection for outgoing metadata, with the bytes that were sent. */
  'GET /projection/:projection/outgoing': Call<None, undefined, Response>;
  /** The quota rules, in order of creation. */
  'GET /quota': Call<GetQuotaQuery, undefined, types.QuotaRuleListDocument>;
  /** The notifications for this resource. */
  'GET /quota/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /quota/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /quota/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /quota/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /quota/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /quota/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /quota/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /quota/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /quota/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** One quota rule with its current usage. */
  'GET /quota/:rule': Call<GetQuotaRuleQuery, undefined, types.QuotaRuleDocument>;
  /** The external ids of the quota-rule. */
  'GET /quota/:rule/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The usage of a quota rule on each day. */
  'GET /quota/:rule/history': Call<GetQuotaRuleHistoryQuery, undefined, types.QuotaHistoryDocument>;
  /** The notifications for this resource. */
  'GET /quota/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /quota/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /quota/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /quota/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /quota/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /quota/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /quota/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /quota/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /quota/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The progress of a re-index. */
  'GET /reindex/:index': Call<None, undefined, types.ReindexRequestDocument>;
  /** One relation. */
  'GET /relation/:relation': Call<None, undefined, types.ItemRelationDocument>;
  /** The types of resources. */
  'GET /resource': Call<None, undefined, types.ResourceTypeListDocument>;
  /** The resources of a type, the oldest first. The transcoders of this server come last. */
  'GET /resource/:type': Call<GetCollectionCollectionAncestorQuery, undefined, types.ResourceListDocument>;
  /** One resource. */
  'GET /resource/:type/:resource': Call<None, undefined, types.ResourceDocument>;
  /** Answers 501: resources are documents, and nothing reports to them. */
  'GET /resource/:type/:resource/backupstorages': Call<None, undefined, undefined>;
  /** Answers 501: resources are documents, and nothing reports to them. */
  'GET /resource/:type/:resource/load': Call<None, undefined, undefined>;
  /** Whether a resource can be used: ONLINE or OFFLINE. */
  'GET /resource/:type/:resource/status': Call<None, undefined, string>;
  /** The runners, the oldest first, with what they do now. */
  'GET /runner': Call<GetAPInoauthShareLinkItemItemAnnotationQuery, undefined, types.RunnerListDocument>;
  /** One runner, with what it does now. */
  'GET /runner/:runner': Call<None, undefined, types.RunnerDocument>;
  /** Answers 501: this service makes no test data. */
  'GET /samples': Call<None, undefined, undefined>;
  /** Answers 501: this service makes no test data. */
  'GET /samples/:type/:number': Call<None, undefined, undefined>;
  /** Answers 501: this service makes no test data. */
  'GET /samples/:type/:number/description': Call<None, undefined, undefined>;
  /** The scheduled requests of the caller, the newest first. */
  'GET /scheduled-request': Call<GetScheduledRequestQuery, undefined, types.ScheduledRequestListDocument>;
  /** A scheduled request with its result. */
  'GET /scheduled-request/:request': Call<None, undefined, types.ScheduledRequestDocument>;
  /** The body of the answer to a scheduled request that was carried out. */
  'GET /scheduled-request/:request/response': Call<None, undefined, Response>;
  /** The XML Schema of the documents. */
  'GET /schema.xsd': Call<None, undefined, string>;
  /** The groups for identity providers, by name and without their members (SCIM). */
  'GET /scim/v2/Groups': Call<GetScimV2GroupsQuery, undefined, unknown | undefined>;
  /** One group with its users for identity providers, by id (SCIM). */
  'GET /scim/v2/Groups/:group': Call<GetScimV2GroupsGroupQuery, undefined, unknown | undefined>;
  /** The resource types of SCIM. */
  'GET /scim/v2/ResourceTypes': Call<None, undefined, unknown | undefined>;
  /** One of the resource types of SCIM. */
  'GET /scim/v2/ResourceTypes/:resource': Call<None, undefined, unknown | undefined>;
  /** The schemas of SCIM. */
  'GET /scim/v2/Schemas': Call<None, undefined, unknown | undefined>;
  /** One of the schemas of SCIM. */
  'GET /scim/v2/Schemas/:resource': Call<None, undefined, unknown | undefined>;
  /** What the service supports of SCIM. */
  'GET /scim/v2/ServiceProviderConfig': Call<None, undefined, unknown | undefined>;
  /** The users for identity providers, by name (SCIM). */
  'GET /scim/v2/Users': Call<GetScimV2GroupsQuery, undefined, unknown | undefined>;
  /** One user for identity providers, by id (SCIM). */
  'GET /scim/v2/Users/:user': Call<GetScimV2GroupsGroupQuery, undefined, unknown | undefined>;
  /** Items and collections, the newest first, or those that a search finds. */
  'GET /search': Call<GetSearchQuery, undefined, types.SearchResultDocument & Partial<types.SearchPlanDocument>>;
  /** All files, the oldest first, or those that a search finds. */
  'GET /search/file': Call<GetSearchFileQuery, undefined, types.FileListDocument & Partial<types.SearchPlanDocument>>;
  /** The files that a saved search finds now. */
  'GET /search/file/saved/:hash': Call<GetSearchFileSavedHashQuery, undefined, types.FileListDocument & Partial<types.SearchPlanDocument>>;
  /** The items and collections that a saved search finds now. */
  'GET /search/saved/:hash': Call<GetSearchSavedHashQuery, undefined, types.SearchResultDocument & Partial<types.SearchPlanDocument>>;
  /** Shapes of items that the caller may read, the newest first, or those that a search finds. */
  'GET /search/shape': Call<GetSearchShapeQuery, undefined, types.ShapeListDocument & Partial<types.SearchPlanDocument>>;
  /** The secrets with the keys that have a value. No answer has a value. */
  'GET /secret': Call<GetCollectionCollectionAncestorQuery, undefined, types.SecretListDocument>;
  /** One secret with the keys that have a value. */
  'GET /secret/:alias': Call<None, undefined, types.SecretDocument>;
  /** Explains a request: its filters, realms and route, with their decisions. Explains a user: the groups and where they come from, and what is missing for the request. Users ask about themselves, and learn nothing about security.ini and other groups. */
  'GET /security/explain': Call<GetSecurityExplainQuery, undefined, types.ExplanationDocument>;
  /** Errors and warnings of security.ini and of plugins, with their lines. */
  'GET /security/finding': Call<None, undefined, types.SecurityFindingListDocument>;
  /** Checks all parts of the service. */
  'GET /selftest': Call<None, undefined, types.SelfTestDocument>;
  /** Checks one part of the service. */
  'GET /selftest/:test': Call<None, undefined, types.SelfTestDocument>;
  /** Answers 501: a sequence belongs to an item. */
  'GET /sequence': Call<None, undefined, undefined>;
  /** Answers 501: a sequence belongs to an item. */
  'GET /sequence/export': Call<None, undefined, undefined>;
  /** The caller with all roles that count, and what a page needs to know of this service. */
  'GET /session': Call<None, undefined, types.SessionDocument>;
  /** The notifications for this resource. */
  'GET /session/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /session/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /session/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /session/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /session/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /session/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /session/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /session/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /session/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The real names of up to 100 users. Without `_user_read`, those of enabled users for readers of items, collections, libraries or jobs; for others the own one. */
  'GET /session/people': Call<GetSessionPeopleQuery, undefined, types.SessionPeopleDocument>;
  /** The settings of the process that answers, each with where its value comes from. Secrets are left out. */
  'GET /setting': Call<None, undefined, types.SettingListDocument>;
  /** The names of the shape tags. */
  'GET /shape-tag': Call<GetShapeTagQuery, undefined, types.URIListDocument>;
  /** The preset of a shape tag. In the format that was sent, it has the same bytes. */
  'GET /shape-tag/:tag': Call<None, undefined, types.TranscodePresetDocument>;
  /** The preset of a shape tag after its script has run on a shape. */
  'GET /shape-tag/:tag/item/:item/shape/:shape': Call<GetShapeTagTagItemItemShapeShapeQuery, undefined, types.TranscodePresetDocument>;
  /** The metadata of the shape-tag. */
  'GET /shape-tag/:tag/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /shape-tag/:tag/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The script of a shape tag. */
  'GET /shape-tag/:tag/script': Call<None, undefined, string>;
  /** The storage rules of the shape tag: for all its files, and for single shape tags. */
  'GET /shape-tag/storage-rule': Call<GetCollectionCollectionAncestorQuery, undefined, types.StorageRulesDocument>;
  /** The storage rule of the shape tag for one shape tag. */
  'GET /shape-tag/storage-rule/:tag': Call<None, undefined, types.StorageRuleDocument>;
  /** The shares of the caller, the newest first. */
  'GET /share': Call<GetCollectionCollectionShareQuery, undefined, types.ShareListDocument>;
  /** A share, without its secret. */
  'GET /share/:share': Call<None, undefined, types.ShareDocument>;
  /** The secret of a share, for its maker. Nobody else gets it, also no administrator. */
  'GET /share/:share/token': Call<None, undefined, types.ShareTokenDocument>;
  /** Who used a share: a thousand logins of guests, the newest first. Beyond them the oldest of the network with the most goes. */
  'GET /share/:share/use': Call<GetCollectionCollectionAncestorQuery, undefined, types.ShareUseListDocument>;
  /** The notifications for this resource. */
  'GET /share/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /share/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /share/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /share/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /share/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /share/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /share/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /share/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /share/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** The name of the site: the prefix of ids. */
  'GET /site': Call<None, undefined, types.URIListDocument>;
  /** Answers 501: this service has one site. */
  'GET /site/:site': Call<None, undefined, undefined>;
  /** The metadata of the site. */
  'GET /site/:site/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /site/:site/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service has one site. */
  'GET /site/changeset/:uuid': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/data/:file': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/entry': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/entry/:file': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/exists/:file': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/info/:file': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/rule/:tag': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/file/uri/:file': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/poster/:item/:time': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/thumbnail/:item/:time': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /site/thumbnails/:item': Call<None, undefined, undefined>;
  /** The storages, in order of creation. */
  'GET /storage': Call<GetStorageQuery, undefined, types.StorageListDocument>;
  /** The storage rules of all entities. */
  'GET /storage-rule': Call<GetStorageRuleQuery, undefined, types.StorageRulesDocument>;
  /** The notifications for this resource. */
  'GET /storage/:entity/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /storage/:entity/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /storage/:entity/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /storage/:entity/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /storage/:entity/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /storage/:entity/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /storage/:entity/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /storage/:entity/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /storage/:entity/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** One storage. */
  'GET /storage/:storage': Call<GetStorageStorageQuery, undefined, types.StorageDocument>;
  /** The auto-import rule of a storage. */
  'GET /storage/:storage/auto-import': Call<None, undefined, types.AutoImportRuleDocument>;
  /** Exports the files of a storage, for import as another storage. */
  'GET /storage/:storage/export': Call<None, undefined, types.StorageImportDocument>;
  /** The external ids of the storage. */
  'GET /storage/:storage/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The files of a storage. */
  'GET /storage/:storage/file': Call<GetStorageStorageFileQuery, undefined, types.FileListDocument>;
  /** One file. */
  'GET /storage/:storage/file/:file': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /storage/:storage/file/:file/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /storage/:storage/file/:file/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /storage/:storage/file/:file/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /storage/:storage/file/:file/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /storage/:storage/file/:file/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/:storage/file/:file/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /storage/:storage/file/:file/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /storage/:storage/file/:file/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /storage/:storage/file/:file/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /storage/:storage/file/:file/site/:site': Call<None, undefined, undefined>;
  /** The files of a storage with a hash. */
  'GET /storage/:storage/file/byHash': Call<GetStorageStorageFileQuery, undefined, types.FileListDocument>;
  /** The file with an address, or with a path below its storage. */
  'GET /storage/:storage/file/byURI': Call<GetStorageStorageFileByURIQuery, undefined, types.FileDocument>;
  /** The files of a storage that can be imported: with bytes, and of no item. */
  'GET /storage/:storage/file/importable': Call<GetStorageStorageFileQuery, undefined, types.ImportableFileListDocument>;
  /** One file. */
  'GET /storage/:storage/file/path/:path': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /storage/:storage/file/path/:path/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /storage/:storage/file/path/:path/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /storage/:storage/file/path/:path/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /storage/:storage/file/path/:path/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /storage/:storage/file/path/:path/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/:storage/file/path/:path/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /storage/:storage/file/path/:path/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /storage/:storage/file/path/:path/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /storage/:storage/file/path/:path/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /storage/:storage/file/path/:path/site/:site': Call<None, undefined, undefined>;
  /** One file. */
  'GET /storage/:storage/file/uri/:uri': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /storage/:storage/file/uri/:uri/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /storage/:storage/file/uri/:uri/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /storage/:storage/file/uri/:uri/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /storage/:storage/file/uri/:uri/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /storage/:storage/file/uri/:uri/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/:storage/file/uri/:uri/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /storage/:storage/file/uri/:uri/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /storage/:storage/file/uri/:uri/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /storage/:storage/file/uri/:uri/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /storage/:storage/file/uri/:uri/site/:site': Call<None, undefined, undefined>;
  /** How the files of a storage are read again, and a page of them with what was found. */
  'GET /storage/:storage/fixity': Call<GetStorageStorageFixityQuery, undefined, types.FixityDocument>;
  /** Free bytes of a storage. */
  'GET /storage/:storage/freespace': Call<None, undefined, string>;
  /** The files of a storage that can be imported: with bytes, and of no item. */
  'GET /storage/:storage/importable': Call<GetStorageStorageFileQuery, undefined, types.ImportableFileListDocument>;
  /** The metadata of the storage. */
  'GET /storage/:storage/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/:storage/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The methods of a storage. */
  'GET /storage/:storage/method': Call<GetStorageStorageMethodQuery, undefined, types.StorageMethodListDocument>;
  /** A list with one method of a storage. Empty if there is no such method. */
  'GET /storage/:storage/method/:method': Call<GetStorageStorageMethodQuery, undefined, types.StorageMethodListDocument>;
  /** The metadata of the storage-method. */
  'GET /storage/:storage/method/:method/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/:storage/method/:method/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The state of a storage. */
  'GET /storage/:storage/status': Call<None, undefined, string>;
  /** Bytes of the files of a storage, without other files of its disk. */
  'GET /storage/:storage/usedspace': Call<None, undefined, string>;
  /** The auto-import rules of all storages. */
  'GET /storage/auto-import': Call<GetCollectionCollectionAncestorQuery, undefined, types.AutoImportRuleListDocument>;
  /** The files of all storages. */
  'GET /storage/file': Call<GetStorageStorageFileQuery, undefined, types.FileListDocument>;
  /** The deletion locks of a file and its parents. */
  'GET /storage/file/:entity/deletion-lock': Call<GetCollectionEntityDeletionLockQuery, undefined, types.DeletionLockListDocument>;
  /** One deletion lock. */
  'GET /storage/file/:entity/deletion-lock/:lock': Call<None, undefined, types.DeletionLockDocument>;
  /** The metadata of the deletion lock. */
  'GET /storage/file/:entity/deletion-lock/:lock/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/file/:entity/deletion-lock/:lock/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** One file. */
  'GET /storage/file/:file': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /storage/file/:file/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /storage/file/:file/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /storage/file/:file/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /storage/file/:file/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /storage/file/:file/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/file/:file/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /storage/file/:file/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /storage/file/:file/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /storage/file/:file/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /storage/file/:file/site/:site': Call<None, undefined, undefined>;
  /** The files of all storages with a hash. */
  'GET /storage/file/byHash': Call<GetStorageStorageFileQuery, undefined, types.FileListDocument>;
  /** The file with an address, or with a path below its storage. */
  'GET /storage/file/byURI': Call<GetStorageStorageFileByURIQuery, undefined, types.FileDocument>;
  /** The files of all storages that can be imported: with bytes, and of no item. */
  'GET /storage/file/importable': Call<GetStorageStorageFileQuery, undefined, types.ImportableFileListDocument>;
  /** The notifications for this resource. */
  'GET /storage/file/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /storage/file/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /storage/file/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /storage/file/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /storage/file/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /storage/file/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /storage/file/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /storage/file/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /storage/file/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** One file. */
  'GET /storage/file/path/:path': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /storage/file/path/:path/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /storage/file/path/:path/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /storage/file/path/:path/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /storage/file/path/:path/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /storage/file/path/:path/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/file/path/:path/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /storage/file/path/:path/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /storage/file/path/:path/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /storage/file/path/:path/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /storage/file/path/:path/site/:site': Call<None, undefined, undefined>;
  /** One file. */
  'GET /storage/file/uri/:uri': Call<GetFileFileQuery, undefined, types.FileDocument>;
  /** The bytes of a file, or a part of them with the header Range. */
  'GET /storage/file/uri/:uri/data': Call<None, undefined, Response>;
  /** The external ids of the file. */
  'GET /storage/file/uri/:uri/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** When the bytes of a file were last compared with their hash, and what was found. */
  'GET /storage/file/uri/:uri/fixity': Call<None, undefined, types.FileFixityDocument>;
  /** The items that use a file and that the caller may read. */
  'GET /storage/file/uri/:uri/item': Call<None, undefined, types.ItemListDocument>;
  /** The metadata of the file. */
  'GET /storage/file/uri/:uri/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/file/uri/:uri/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'GET /storage/file/uri/:uri/pfd': Call<None, undefined, undefined>;
  /** How long a restore of an archived file takes, and what it costs by the prices of the operator. */
  'GET /storage/file/uri/:uri/restore': Call<None, undefined, types.RestoreDocument>;
  /** The shapes that use a file, with all content if the caller may read them. */
  'GET /storage/file/uri/:uri/shape': Call<GetFileFileShapeQuery, undefined, types.ShapeListDocument>;
  /** Answers 501: this service has one site. */
  'GET /storage/file/uri/:uri/site/:site': Call<None, undefined, undefined>;
  /** The storages whose files are read again, with the numbers of files by what was found. */
  'GET /storage/fixity': Call<GetStorageFixityQuery, undefined, types.FixityListDocument>;
  /** The files of all storages that can be imported: with bytes, and of no item. */
  'GET /storage/importable': Call<GetStorageStorageFileQuery, undefined, types.ImportableFileListDocument>;
  /** Answers 501: scans set the state of a storage, and metadata has another path. */
  'GET /storage/importable/:file/metadata': Call<None, undefined, undefined>;
  /** The notifications for this resource. */
  'GET /storage/notification': Call<GetCollectionCollectionAncestorQuery, undefined, types.URIListDocument>;
  /** One notification; its secret is masked. */
  'GET /storage/notification/:notification': Call<None, undefined, types.NotificationDocument>;
  /** The log of deliveries of a notification, the newest first. */
  'GET /storage/notification/:notification/delivery': Call<GetCollectionEntityNotificationNotificationDeliveryQuery, undefined, types.DeliveryListDocument>;
  /** One delivery, with what the receiver answered. */
  'GET /storage/notification/:notification/delivery/:delivery': Call<None, undefined, types.DeliveryDocument>;
  /** The external ids of the notification. */
  'GET /storage/notification/:notification/external-id': Call<None, undefined, types.ExternalIdentifierListDocument>;
  /** The health of a notification. */
  'GET /storage/notification/:notification/health': Call<None, undefined, types.NotificationHealthDocument>;
  /** The parked events of a notification. */
  'GET /storage/notification/:notification/parked': Call<GetCollectionEntityNotificationNotificationParkedQuery, undefined, types.ParkedListDocument>;
  /** The progress of the last replay of a notification. */
  'GET /storage/notification/:notification/replay': Call<None, undefined, types.ReplayDocument>;
  /** The public keys that receivers verify deliveries with. */
  'GET /storage/notification/:notification/secret': Call<None, undefined, types.NotificationSecretDocument>;
  /** Addresses that a new storage may have on this server and that no storage has. */
  'GET /storage/proposal': Call<None, undefined, types.StorageMethodListDocument>;
  /** The storage groups ordered by name, with the ids of their storages. */
  'GET /storage/storage-group': Call<GetCollectionCollectionAncestorQuery, undefined, types.StorageGroupListDocument>;
  /** One storage group with its storages. */
  'GET /storage/storage-group/:group': Call<GetCollectionCollectionAncestorQuery, undefined, types.StorageGroupDocument>;
  /** The metadata of the storage-group. */
  'GET /storage/storage-group/:group/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /storage/storage-group/:group/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'GET /system-status': Call<None, undefined, undefined>;
  /** The steps of all job types. */
  'GET /task-definition': Call<GetTaskDefinitionQuery, undefined, types.TaskDefinitionListDocument>;
  /** One step of a job type. */
  'GET /task-definition/:task': Call<None, undefined, types.TaskDefinitionDocument>;
  /** The metadata of the task definition. */
  'GET /task-definition/:task/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /task-definition/:task/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The script of an added step. */
  'GET /task-definition/:task/script': Call<None, undefined, string>;
  /** Checks the syntax of the script of a step: OK, or the error. */
  'GET /task-definition/:task/validate': Call<None, undefined, string>;
  /** The steps of a job type. */
  'GET /task-definition/jobtype/:type': Call<None, undefined, types.TaskDefinitionListDocument>;
  /** A graph of the steps of a job type, as a PNG, or in the language DOT. */
  'GET /task-definition/jobtype/:type/graph': Call<None, undefined, Response>;
  /** A graph of the steps of a job type, in the language DOT. */
  'GET /task-definition/jobtype/:type/graph/dot': Call<None, undefined, string>;
  /** One step of a job type. */
  'GET /task-definition/jobtype/:type/step/:step': Call<None, undefined, types.TaskDefinitionDocument>;
  /** The metadata of the task definition. */
  'GET /task-definition/jobtype/:type/step/:step/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /task-definition/jobtype/:type/step/:step/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The script of an added step. */
  'GET /task-definition/jobtype/:type/step/:step/script': Call<None, undefined, string>;
  /** Checks the syntax of the script of a step: OK, or the error. */
  'GET /task-definition/jobtype/:type/step/:step/validate': Call<None, undefined, string>;
  /** The task groups, which assign jobs to transcoders. */
  'GET /task-group': Call<None, undefined, types.TaskGroupListDocument>;
  /** One task group. */
  'GET /task-group/:name': Call<None, undefined, types.TaskGroupDocument>;
  /** The metadata of the task group. */
  'GET /task-group/:name/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /task-group/:name/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** Answers 501: pictures belong to an item. */
  'GET /thumbnail': Call<None, undefined, undefined>;
  /** Answers 501: pictures belong to an item. */
  'GET /thumbnail/:place': Call<None, undefined, undefined>;
  /** The times or addresses of the thumbnails of an item. A caller that accepts only images gets the first one. */
  'GET /thumbnail/:place/:item': Call<GetPosterPlaceItemQuery, undefined, types.URIListDocument>;
  /** One of the thumbnails of an item: the one at the time, or the last one before it. */
  'GET /thumbnail/:place/:item/:time': Call<GetAPInoauthPosterPlaceItemTimeQuery, undefined, Response>;
  /** Copies one of the thumbnails of an item to a folder, a storage, a bucket or a web server, as a job. */
  'GET /thumbnail/:place/:item/:time/export': Call<GetPosterPlaceItemTimeExportQuery, undefined, types.JobDocument>;
  /** Creates a token for the caller. */
  'GET /token': Call<GetTokenQuery, undefined, types.AuthenticationTokenDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'GET /transcoder-validate': Call<None, undefined, undefined>;
  /** The uploads in parts of the caller, or of everybody for an administrator, the newest first. */
  'GET /transfer': Call<GetTransferQuery, undefined, types.TransferListDocument>;
  /** One upload in parts, by its transferId or its id. */
  'GET /transfer/:transfer': Call<None, undefined, types.TransferDocument>;
  /** The web page. Security.ini needs a line for `/ui/**`. */
  'GET /ui': Call<None, undefined, Response>;
  /** Files of the web page. An address without a file ending is one of its views. */
  'GET /ui/:path': Call<None, undefined, Response>;
  /** The steps of an upgrade from one release of the original to another, in order. */
  'GET /upgrade-plan': Call<GetUpgradePlanQuery, undefined, types.UpgradePlanDocument>;
  /** The offset of a tus upload, in the headers of the answer. */
  'GET /upload/:upload': Call<None, undefined, undefined>;
  /** Terms of use of items, shapes and collections that the caller may read, those first that end first. */
  'GET /usage': Call<GetUsageQuery, undefined, types.UsageListDocument>;
  /** The users, ordered by name. */
  'GET /user': Call<GetUserQuery, undefined, types.UserListDocument>;
  /** Answers 501: this service has one site. */
  'GET /user/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /user/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** One user, by name or alias. */
  'GET /user/:name': Call<None, undefined, types.UserDocument>;
  /** The access entries that name the user, on entities that the caller may read. Entries of groups are left out. */
  'GET /user/:name/access': Call<GetCollectionCollectionAncestorQuery, undefined, types.AccessControlListDocument>;
  /** The groups that a user is in, through any group. */
  'GET /user/:name/allgroups': Call<GetCollectionCollectionAncestorQuery, undefined, types.GroupListDocument>;
  /** Whether a user is in a group, through any group. */
  'GET /user/:name/belongstogroup/:group': Call<None, undefined, string>;
  /** A graph of the groups of one user, as a PNG, or in the language DOT. */
  'GET /user/:name/graph': Call<None, undefined, Response>;
  /** A graph of the groups of one user, in the language DOT. */
  'GET /user/:name/graph/dot': Call<None, undefined, string>;
  /** The groups that a user is in. */
  'GET /user/:name/groups': Call<GetUserNameGroupsQuery, undefined, types.GroupListDocument>;
  /** The access keys of a user, without their secrets. */
  'GET /user/:name/key': Call<None, undefined, types.AccessKeyListDocument>;
  /** One access key, without its secret. */
  'GET /user/:name/key/:key': Call<None, undefined, types.AccessKeyDocument>;
  /** The address of a user for mail, and what the user is told of. Without an address there is no mail. */
  'GET /user/:name/mail': Call<None, undefined, types.MailDocument>;
  /** The metadata of the user. */
  'GET /user/:name/metadata': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The value of one key, or the document of all keys below it. */
  'GET /user/:name/metadata/:key*': Call<None, undefined, types.SimpleMetadataDocument>;
  /** The salt of the password hash of a user. */
  'GET /user/:name/password/salt': Call<None, undefined, Response>;
  /** The real name of a user. */
  'GET /user/:name/realname': Call<None, undefined, string>;
  /** The roles that a user has, through any group. */
  'GET /user/:name/roles': Call<GetCollectionCollectionAncestorQuery, undefined, types.GroupListDocument>;
  /** The second factors of a user: passkeys, and apps that make codes. */
  'GET /user/:name/second-factor': Call<None, undefined, types.SecondFactorListDocument>;
  /** Creates a token for a user. */
  'GET /user/:name/token': Call<GetTokenQuery, undefined, types.AuthenticationTokenDocument>;
  /** The tokens of a user that are valid. */
  'GET /user/:name/tokens': Call<GetCollectionCollectionAncestorQuery, undefined, types.AuthenticationTokenListDocument>;
  /** A graph of users, groups and memberships, as a PNG, or in the language DOT. */
  'GET /user/graph': Call<GetUserGraphQuery, undefined, Response>;
  /** A graph of users, groups and memberships, in the language DOT. */
  'GET /user/graph/dot': Call<GetUserGraphQuery, undefined, string>;
  /** Answers 501: this service has one site. */
  'GET /user/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'GET /user/site-rule/:rule': Call<None, undefined, undefined>;
  /** The versions of the API and of this program, and how many users, items, storages and transcoders there are. */
  'GET /version': Call<None, undefined, types.VersionDocument>;
  /** Answers 501: the log is written to standard output. */
  'GET /vidispine-logs': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'GET /vidispine-logs/job': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'GET /vidispine-logs/job/:job': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'GET /vidispine-logs/job/:job/uri': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'GET /vidispine-logs/job/:job/zip/:file': Call<None, undefined, undefined>;
  /** The kinds of background work, and whether they are enabled. */
  'GET /vidispine-service': Call<None, undefined, types.VidispineServiceListDocument>;
  /** One kind of background work. */
  'GET /vidispine-service/service/:service': Call<None, undefined, types.VidispineServiceListDocument>;
  /** Running background work of this instance: kind, units, start and last failure. */
  'GET /vidispine-service/stacktrace': Call<None, undefined, string>;
  /** The agents of storages. The list is empty. */
  'GET /vxa': Call<None, undefined, types.VXAListDocument>;
  /** Answers 404: no agent can join this service. */
  'GET /vxa/:uuid': Call<None, undefined, undefined>;
  /** Answers 404: no agent can join this service. */
  'GET /vxa/:uuid/configuration': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'GET /vxa/:uuid/job': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'GET /vxa/:uuid/job/:job': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'GET /vxa/:uuid/plugins': Call<None, undefined, undefined>;
  /** The address that the request came from. */
  'GET /whatismyipaddress': Call<None, undefined, string>;
  /** The name of the user whose rights the request has. */
  'GET /whoami': Call<None, undefined, string>;
  /** Background work by kind: waiting, running and last failure. */
  'GET /work': Call<None, undefined, types.WorkListDocument>;
  /** The capabilities of the tus server. */
  'OPTIONS /upload': Call<None, undefined, undefined>;
  /** The capabilities of the tus server. */
  'OPTIONS /upload/:upload': Call<None, undefined, undefined>;
  /** Continues a tus upload of the guest at its offset. The last part makes an item of it. */
  'PATCH /APInoauth/share/:link/upload/:guestUpload': Call<None, Bytes | string, undefined>;
  /** Adds users to a group and removes others (SCIM). */
  'PATCH /scim/v2/Groups/:group': Call<GetScimV2GroupsGroupQuery, Bytes | string, unknown | undefined>;
  /** Changes attributes of a user (SCIM). */
  'PATCH /scim/v2/Users/:user': Call<GetScimV2GroupsGroupQuery, Bytes | string, unknown | undefined>;
  /** Continues a tus upload at its offset. */
  'PATCH /upload/:upload': Call<None, Bytes | string, undefined>;
  /** Creates missing roles, metadata fields and shape tags of this release. */
  'POST /APIinit': Call<None, undefined, string>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /APIinit/datatype': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /APIinit/metadata-field': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /APIinit/metadatarepair': Call<None, undefined, undefined>;
  /** Makes the sample library, with users, shares and comments, in a service without items. Answers when all of it is there. */
  'POST /APIinit/sample': Call<None, undefined, types.SampleDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /APIinit/usercacherepair': Call<None, undefined, undefined>;
  /** Uploads the file of an import with its passkey, whole or in parts. Answers the job. A complete upload invalidates the passkey. */
  'POST /APInoauth/import/placeholder/:item/:component/raw': Call<PostAPInoauthImportPlaceholderItemComponentRawQuery, Bytes | string, types.JobDocument | undefined>;
  /** Uploads the file of an import with its passkey, whole or in parts. Answers the job. A complete upload invalidates the passkey. */
  'POST /APInoauth/import/raw': Call<PostAPInoauthImportPlaceholderItemComponentRawQuery, Bytes | string, types.JobDocument | undefined>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'POST /APInoauth/license/auth': Call<None, undefined, undefined>;
  /** Ends the sessions of a login that has ended at the provider. The message of the provider proves it. */
  'POST /APInoauth/login/:login/logout': Call<None, string, undefined>;
  /** Logs in by a login link: of a first start, or made by an administrator. Its text is the body, and it works once. */
  'POST /APInoauth/session': Call<None, string, types.SecondStepDocument | undefined>;
  /** A challenge for a passkey: of a login that waits, or for a login without a password where passkeyLogin allows it. */
  'POST /APInoauth/session/challenge': Call<None, types.PasskeyRequestDocument, types.PasskeyChallengeDocument>;
  /** Adds the first second factor of a user who must have one, and ends the login. The answer sets the cookie. */
  'POST /APInoauth/session/enrol': Call<PostAPInoauthSessionEnrolQuery, types.NewSecondFactorDocument, types.RecoveryCodesDocument>;
  /** Ends a login: with the second factor of one that waits, or with a passkey alone. The answer sets the cookie. */
  'POST /APInoauth/session/factor': Call<PostAPInoauthSessionEnrolQuery, types.LoginAnswerDocument, undefined>;
  /** Begins the first second factor of a user who must have one, in a login that waits. */
  'POST /APInoauth/session/offer': Call<None, types.SecondFactorRequestDocument, types.SecondFactorOfferDocument>;
  /** Lets a guest in by the secret of an address, and sets a cookie for the routes of the share. A guest who is in without a name can give one. One answer is for all shares that are not open. */
  'POST /APInoauth/share': Call<None, types.ShareEntranceDocument, types.ShareGuestDocument>;
  /** Imports the body into the collection of a share, within its bounds. */
  'POST /APInoauth/share/:link/file': Call<PostAPInoauthShareLinkFileQuery, Bytes | string, types.ShareGuestDocument>;
  /** Comments on an item of a share, with the name of the guest. */
  'POST /APInoauth/share/:link/item/:item/annotation': Call<None, types.SharedAnnotationDocument, types.SharedAnnotationDocument>;
  /** Starts a tus upload into the collection of a share, within its bounds. Upload-Metadata has the key filename. */
  'POST /APInoauth/share/:link/upload': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'POST /UploadLicense/getlic': Call<None, undefined, undefined>;
  /** Creates a collection with the name, metadata and members of the document. */
  'POST /collection': Call<PostCollectionQuery, undefined | types.CollectionDocument, types.CollectionDocument>;
  /** Grants a user or group a level on a collection, or revokes it. */
  'POST /collection/:collection/access': Call<PostCollectionCollectionAccessQuery, types.AccessControlDocument, types.AccessControlDocument>;
  /** Adds access entries to a collection. One invalid entry refuses all. */
  'POST /collection/:collection/access/bulk': Call<None, types.AccessControlListDocument, types.AccessControlListDocument>;
  /** Copies files of the items of a collection, and of the collections in it. */
  'POST /collection/:collection/export': Call<PostCollectionCollectionExportQuery, undefined, types.JobDocument>;
  /** Locks fields of the metadata of a collection against changes by other users. */
  'POST /collection/:collection/metadata-lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Moves members one by one: items, then collections, then libraries. */
  'POST /collection/:collection/order': Call<None, types.CollectionReorderDocument, types.CollectionDocument>;
  /** Shares the collection by a secret address, with the rights of the caller. */
  'POST /collection/:collection/share': Call<None, types.ShareDocument, types.ShareDocument>;
  /** Sets the storage rule of the collection for one shape tag. */
  'POST /collection/:collection/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Answers 501: this service has no image recognition. */
  'POST /collection/:collection/train': Call<None, undefined, undefined>;
  /** Creates a version of a project: a collection in it with the items, sequences and metadata of the document. */
  'POST /collection/:collection/version': Call<None, types.ProjectVersionDocument, types.URIListDocument>;
  /** The same, with the places of media for the editing program in the body. */
  'POST /collection/:collection/version/export': Call<GetCollectionCollectionVersionExportQuery, undefined | types.ExportRequestDocument, types.ProjectVersionDocument & Partial<types.ExportStatusDocument>>;
  /** Locks a collection against deletion until the lock expires. */
  'POST /collection/:entity/deletion-lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Creates a notification. */
  'POST /collection/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /collection/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /collection/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /collection/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /collection/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /collection/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /collection/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /collection/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /collection/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'POST /collection/deletion-lock': Call<None, undefined, undefined>;
  /** Creates a notification. */
  'POST /collection/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /collection/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /collection/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /collection/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /collection/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /collection/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /collection/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /collection/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a collection for a project. */
  'POST /collection/project': Call<None, undefined | types.ProjectDocument, types.URIListDocument>;
  /** The files that a project of an editing program uses, with their items. Changes nothing. */
  'POST /collection/project/inspect': Call<PostCollectionProjectInspectQuery, undefined | types.EssenceMappingsDocument, types.ProjectFileDocument>;
  /** Answers 501: this service has one site. */
  'POST /collection/site-rule': Call<None, undefined, undefined>;
  /** Sets several configuration properties. One invalid property refuses all. */
  'POST /configuration/properties': Call<None, types.ConfigurationPropertyListDocument, undefined>;
  /** Concatenates parts of items into a shape, as a job. */
  'POST /conform': Call<PostConformQuery, types.ConformRequestDocument, types.JobDocument>;
  /** Answers 501: this service uses no paid services. */
  'POST /cost/:path': Call<None, undefined, undefined>;
  /** Creates a notification. */
  'POST /deletion-lock/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /deletion-lock/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /deletion-lock/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /deletion-lock/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /deletion-lock/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /deletion-lock/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /deletion-lock/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /deletion-lock/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a notification. */
  'POST /deletion-lock/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /deletion-lock/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /deletion-lock/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /deletion-lock/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /deletion-lock/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /deletion-lock/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /deletion-lock/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /deletion-lock/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Locks fields of the metadata of a document against changes by other users. */
  'POST /document/:document/metadata-lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Creates a notification. */
  'POST /document/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /document/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /document/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /document/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /document/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /document/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /document/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /document/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a notification. */
  'POST /document/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /document/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /document/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /document/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /document/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /document/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /document/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /document/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Checks the export template of the body without storing it, and answers the paths of the files that it makes of an item. */
  'POST /export-template/test': Call<PostExportTemplateTestQuery, types.ExportTemplateDocument, types.URIListDocument>;
  /** External ids of a list that several entities of one type would have, with the existing ones. A dry run. */
  'POST /external-id/duplicates': Call<None, types.ExternalIdentifierListDocument, types.ExternalIdentifierDuplicateListDocument>;
  /** Locks a file against deletion until the lock expires. */
  'POST /file/:entity/deletion-lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /file/:file/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /file/:file/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /file/:file/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /file/:file/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /file/:file/import/assetmap': Call<None, undefined, undefined>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /file/:file/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /file/:file/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /file/:file/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'POST /file/deletion-lock': Call<None, undefined, undefined>;
  /** Creates a notification. */
  'POST /file/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /file/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /file/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /file/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /file/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /file/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /file/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /file/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a notification. */
  'POST /group/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /group/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /group/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /group/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /group/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /group/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /group/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /group/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /group/:entity/site-rule': Call<None, undefined, undefined>;
  /** Creates a notification. */
  'POST /group/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /group/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /group/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /group/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /group/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /group/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /group/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /group/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /group/site-rule': Call<None, undefined, undefined>;
  /** Creates an item and a job that imports its file from an address. If the file cannot be read, the job fails. */
  'POST /import': Call<PostImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Answers 501: this service reads no packages of IMF. */
  'POST /import/assetmap': Call<None, undefined, undefined>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /import/imp': Call<None, undefined, undefined>;
  /** Writes a table into the metadata of its items, as a job. The body is CSV, as lists of items have it. */
  'POST /import/metadata-table': Call<PostImportMetadataTableQuery, Bytes | string, types.JobDocument>;
  /** How the columns of a table of metadata would be read. The body is the beginning of the table as CSV. Changes nothing. */
  'POST /import/metadata-table/preview': Call<PostImportMetadataTablePreviewQuery, Bytes | string, types.MetadataTablePreviewDocument>;
  /** Creates a placeholder item with a shape that expects components. Without components it has no shape. */
  'POST /import/placeholder': Call<PostImportPlaceholderQuery, undefined | types.MetadataDocument, types.ItemDocument>;
  /** Imports files for several components of a placeholder, each by its own job. Answers the first job. */
  'POST /import/placeholder/:item': Call<PostImportPlaceholderItemQuery, types.PlaceholderImportRequestDocument, types.JobDocument>;
  /** Imports the file of an expected component of a placeholder, from an address or a storage. */
  'POST /import/placeholder/:item/:component': Call<PostImportPlaceholderItemComponentQuery, undefined, types.JobDocument>;
  /** Assigns a file of a storage to an expected component of a placeholder. The last one starts a job. */
  'POST /import/placeholder/:item/:component/adopt/:file': Call<PostImportPlaceholderItemQuery, undefined, undefined>;
  /** Imports the body as the file of a component, whole or in parts. The job starts after the last part. */
  'POST /import/placeholder/:item/:component/raw': Call<PostImportPlaceholderItemComponentRawQuery, Bytes | string, types.JobDocument | undefined>;
  /** Creates a passkey that lets anybody upload the file of a component once, and a job that waits for it. */
  'POST /import/placeholder/:item/:component/raw-passkey': Call<PostImportPlaceholderItemComponentRawPasskeyQuery, undefined, types.URIListDocument>;
  /** Creates a passkey that lets anybody upload the file of a component once, and a job that waits for it. */
  'POST /import/placeholder/:item/raw-passkey': Call<PostImportPlaceholderItemComponentRawPasskeyQuery, undefined, types.URIListDocument>;
  /** Imports a project of an editing program as a collection, with the items of its files and its sequences. */
  'POST /import/project': Call<PostImportProjectQuery, undefined | types.EssenceMappingsDocument, types.URIListDocument>;
  /** Imports each sequence in a project of an editing program as an item. */
  'POST /import/project/sequence': Call<PostImportProjectSequenceQuery, undefined | types.EssenceMappingsDocument, types.URIListDocument>;
  /** Imports the body as a new item, whole or in parts. The job starts after the last part. */
  'POST /import/raw': Call<PostImportRawQuery, Bytes | string, types.JobDocument | undefined>;
  /** Creates an item, a job that waits for its file, and a passkey that lets anybody upload the file once. */
  'POST /import/raw-passkey': Call<PostImportRawPasskeyQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Creates a profile of access entries for new items. */
  'POST /import/settings': Call<None, types.ImportSettingsDocument, types.ImportSettingsDocument>;
  /** Applies a file with metadata or subtitles to an item, as a job: a MetadataDocument, or subtitles as SubRip, WebVTT, TTML or SCC. */
  'POST /import/sidecar/:item': Call<PostImportSidecarItemQuery, undefined, types.JobDocument>;
  /** Applies the metadata or the subtitles in the body to an item, as a job. */
  'POST /import/sidecar/:item/raw': Call<PostImportSidecarItemRawQuery, Bytes | string, types.JobDocument>;
  /** Locks an item against deletion until the lock expires. */
  'POST /item/:entity/deletion-lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Creates a notification. */
  'POST /item/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /item/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /item/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /item/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /item/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /item/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /item/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /item/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /item/:entity/site-rule': Call<None, undefined, undefined>;
  /** Grants a user or group a level on a item, or revokes it. */
  'POST /item/:item/access': Call<PostCollectionCollectionAccessQuery, types.AccessControlDocument, types.AccessControlDocument>;
  /** Adds access entries to a item. One invalid entry refuses all. */
  'POST /item/:item/access/bulk': Call<None, types.AccessControlListDocument, types.AccessControlListDocument>;
  /** Measures the waveform and loudness of the sound of an item, as a job. Some codecs need a transcoder. */
  'POST /item/:item/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Creates an annotation of an item, for all who may read it. A page of Web Annotations is imported. */
  'POST /item/:item/annotation': Call<None, types.AnnotationDocument, types.AnnotationDocument>;
  /** Adds the markers of a timeline of OpenTimelineIO to an item as annotations. Those that are there stay as they are. */
  'POST /item/:item/annotation/markers': Call<None, Bytes | string, types.AnnotationListDocument>;
  /** Answers 501: storage rules move files to an archive. */
  'POST /item/:item/archive': Call<None, undefined, undefined>;
  /** Concatenates parts of items into a shape of an item, as a job. Scripts of the tags see an empty shape. */
  'POST /item/:item/conform': Call<PostItemItemConformQuery, undefined | types.ConformRequestDocument, types.JobDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /item/:item/convert-bulky': Call<None, undefined, undefined>;
  /** Copies files of an item to a folder, a storage, a bucket or a web server, as a job. */
  'POST /item/:item/export': Call<PostItemItemExportQuery, undefined, types.JobDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /item/:item/export/imp': Call<None, undefined, undefined>;
  /** Answers 501: another path exports. */
  'POST /item/:item/export/template': Call<None, undefined, undefined>;
  /** Locks an item: nobody else changes it until then. */
  'POST /item/:item/lock': Call<PostItemItemLockQuery, undefined, undefined>;
  /** Locks fields of the metadata of an item against changes by other users. */
  'POST /item/:item/metadata-lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Answers 501: metadata needs no job that makes it. */
  'POST /item/:item/metadata/initialize': Call<None, undefined, undefined>;
  /** Answers 501: another path exports. */
  'POST /item/:item/nle-export': Call<None, undefined, undefined>;
  /** Answers 501: a transcode begins at an item. */
  'POST /item/:item/range': Call<None, undefined, undefined>;
  /** Creates a relation from an item to another one. Other query parameters become metadata of the relation. */
  'POST /item/:item/relation/:other': Call<PostItemItemRelationOtherQuery, undefined, types.ItemRelationDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /item/:item/reset-original-shape-metadata': Call<None, undefined, undefined>;
  /** Asks archives for the files of an item that have no copy which can be read, as a job. */
  'POST /item/:item/restore': Call<PostItemItemRestoreQuery, undefined, types.JobDocument>;
  /** Copies timed metadata of the items in a sequence to the item, at their times in the sequence. */
  'POST /item/:item/sequence/conform-metadata': Call<None, undefined, undefined>;
  /** The sequence of the item or the body, for an editing program. The body has the places of its media. */
  'POST /item/:item/sequence/export': Call<GetCollectionCollectionVersionExportQuery, undefined | types.ExportRequestDocument, types.SequenceDocument & Partial<types.ExportStatusDocument>>;
  /** Renders the sequence of the item into a shape for each tag, as a TIMELINE job. The sequence has one track, or one with its sound. */
  'POST /item/:item/sequence/render': Call<PostItemItemSequenceRenderQuery, undefined, types.JobDocument>;
  /** Imports a file from an address or a storage as another shape of an item, as a job. */
  'POST /item/:item/shape': Call<PostItemItemShapeQuery, undefined, types.JobDocument>;
  /** Measures the waveform and loudness of the sound of a shape, as a job. Some codecs need a transcoder. */
  'POST /item/:item/shape/:shape/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Answers 501: storage rules move files to an archive. */
  'POST /item/:item/shape/:shape/archive': Call<None, undefined, undefined>;
  /** Imports a file from an address or a storage as further components of a shape, as a job. */
  'POST /item/:item/shape/:shape/component': Call<PostItemItemShapeShapeComponentQuery, undefined, types.JobDocument>;
  /** Measures the waveform and loudness of the sound of the shape of a component, as a job. Some codecs need a transcoder. */
  'POST /item/:item/shape/:shape/component/:component/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Copies a component to a shape. Both have its files. */
  'POST /item/:item/shape/:shape/component/:component/copy/item/:toItem/shape/:toShape': Call<PostItemItemShapeShapeComponentComponentCopyItemToItemShapeToShapeQuery, undefined, types.ShapeDocument>;
  /** Copies a component to a shape. Both have its files. */
  'POST /item/:item/shape/:shape/component/:component/copy/item/:toItem/shape/:toShape/component/:toComponent': Call<PostItemItemShapeShapeComponentComponentCopyItemToItemShapeToShapeQuery, undefined, types.ShapeDocument>;
  /** Moves a component to a shape, with its files. */
  'POST /item/:item/shape/:shape/component/:component/move/item/:toItem/shape/:toShape': Call<PostItemItemShapeShapeComponentComponentCopyItemToItemShapeToShapeQuery, undefined, types.ShapeDocument>;
  /** Moves a component to a shape, with its files. */
  'POST /item/:item/shape/:shape/component/:component/move/item/:toItem/shape/:toShape/component/:toComponent': Call<PostItemItemShapeShapeComponentComponentCopyItemToItemShapeToShapeQuery, undefined, types.ShapeDocument>;
  /** Adds a component without a file. The placeholder then expects its file. */
  'POST /item/:item/shape/:shape/component/placeholder': Call<PostItemItemShapeShapeComponentPlaceholderQuery, undefined, types.ComponentDocument>;
  /** Copies the files of a shape. */
  'POST /item/:item/shape/:shape/export': Call<PostItemItemShapeShapeExportQuery, undefined, types.JobDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /item/:item/shape/:shape/export/imp': Call<None, undefined, undefined>;
  /** Renders the parts of a shape that the caller names, one behind the other, as a TIMELINE job. Nothing here finds highlights. */
  'POST /item/:item/shape/:shape/highlight-render': Call<PostItemItemShapeShapeHighlightRenderQuery, undefined, types.JobDocument>;
  /** Answers 501: this service writes no descriptions of partial files. */
  'POST /item/:item/shape/:shape/pfd': Call<None, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'POST /item/:item/shape/:shape/restore': Call<None, undefined, undefined>;
  /** Renders the rectangle of the pictures that the caller names, as a TIMELINE job. Nothing here finds a subject. */
  'POST /item/:item/shape/:shape/smartcrop-render': Call<PostItemItemShapeShapeSmartcropRenderQuery, undefined, types.JobDocument>;
  /** Makes thumbnails or posters, as a job. */
  'POST /item/:item/shape/:shape/thumbnail': Call<PostItemItemShapeShapeThumbnailQuery, undefined, types.JobDocument>;
  /** Transcodes to a shape for each tag, as a job. Without a transcoder the job waits and says what to install. */
  'POST /item/:item/shape/:shape/transcode': Call<PostItemItemShapeShapeTranscodeQuery, undefined, types.JobDocument>;
  /** Probes the files of a shape again, as a job that updates its components and the metadata of the item. */
  'POST /item/:item/shape/:shape/update': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Copies a shape as the next essence version. Both have the same files. */
  'POST /item/:item/shape/:shape/version': Call<None, undefined, types.ShapeDocument>;
  /** Answers 501: this service reads no packages of IMF. */
  'POST /item/:item/shape/assetmap': Call<None, undefined, undefined>;
  /** Creates a shape without a job. Its components use the files whose ids they have. */
  'POST /item/:item/shape/create': Call<PostItemItemShapeCreateQuery, undefined | types.ShapeDocument, types.ShapeDocument>;
  /** Imports a file from an address or a storage as the next essence version of an item, as a job. */
  'POST /item/:item/shape/essence': Call<PostItemItemShapeQuery, undefined, types.JobDocument>;
  /** Imports the body as the next essence version of an item, whole or in parts. The job starts after the last part. */
  'POST /item/:item/shape/essence/raw': Call<PostItemItemShapeEssenceRawQuery, Bytes | string, types.JobDocument | undefined>;
  /** Answers 501: another path makes a shape of a document. */
  'POST /item/:item/shape/from-document': Call<None, undefined, undefined>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /item/:item/shape/imp': Call<None, undefined, undefined>;
  /** Creates a placeholder shape that expects components. The document has its key-value metadata. Answers its id. */
  'POST /item/:item/shape/placeholder': Call<PostItemItemShapePlaceholderQuery, undefined | types.SimpleMetadataDocument, string>;
  /** Imports the body as another shape of an item, whole or in parts. The job starts after the last part. */
  'POST /item/:item/shape/raw': Call<PostItemItemShapeEssenceRawQuery, Bytes | string, types.JobDocument | undefined>;
  /** Copies the shapes of the latest essence version as the next one. Both have the same files. */
  'POST /item/:item/shape/version': Call<None, undefined, types.EssenceVersionDocument>;
  /** Copies the shapes of this essence version as the next version, so that it is the latest again. */
  'POST /item/:item/shape/version/:version': Call<None, undefined, types.EssenceVersionDocument>;
  /** Shares the item by a secret address, with the rights of the caller. */
  'POST /item/:item/share': Call<None, types.ShareDocument, types.ShareDocument>;
  /** Sets the storage rule of the item for one shape tag. */
  'POST /item/:item/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Makes thumbnails or posters, as a job. */
  'POST /item/:item/thumbnail': Call<PostItemItemShapeShapeThumbnailQuery, undefined, types.JobDocument>;
  /** Concatenates the parts of items in a timeline into a shape, as a job. */
  'POST /item/:item/timeline/:format/conform': Call<PostConformQuery, undefined, types.JobDocument>;
  /** Transcodes to a shape for each tag, as a job. Without a transcoder the job waits and says what to install. */
  'POST /item/:item/transcode': Call<PostItemItemShapeShapeTranscodeQuery, undefined, types.JobDocument>;
  /** Grants a user or group a level on every item, or revokes it. */
  'POST /item/access': Call<None, types.AccessControlDocument, undefined>;
  /** Answers an address from which one download takes files of items as a ZIP file. Its first file may be "not-included.txt". */
  'POST /item/archive': Call<None, types.ArchiveDocument, types.ArchiveDocument>;
  /** Answers 501: this service makes no test data. */
  'POST /item/create': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'POST /item/deletion-lock': Call<None, undefined, undefined>;
  /** Writes a list of all items that the caller may read to a folder, a storage, a bucket or a web server, as a job. */
  'POST /item/list': Call<PostItemListQuery, undefined | Bytes | string, types.JobDocument>;
  /** Creates a notification. */
  'POST /item/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /item/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /item/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /item/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /item/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /item/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /item/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /item/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /item/site-rule': Call<None, undefined, undefined>;
  /** Runs a script and answers the value of its last statement: text, or JSON for other values. */
  'POST /javascript/test': Call<None, string, string>;
  /** Starts a job of a custom type. Data of the document takes precedence over jobmetadata. */
  'POST /job': Call<PostJobQuery, undefined | types.SimpleMetadataDocument, types.JobDocument>;
  /** Creates a notification. */
  'POST /job/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /job/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /job/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /job/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /job/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /job/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /job/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /job/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a new job of the caller with the type and data of this job. */
  'POST /job/:job/re-run': Call<PostJobJobReRunQuery, undefined, types.JobDocument>;
  /** Creates a notification. */
  'POST /job/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /job/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /job/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /job/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /job/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /job/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /job/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /job/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a library with the items of the document. */
  'POST /library': Call<PostLibraryQuery, undefined | types.ItemListDocument, types.URIListDocument>;
  /** Locks a library against deletion until the lock expires. */
  'POST /library/:entity/deletion-lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Answers 501: this service has one site. */
  'POST /library/:entity/site-rule': Call<None, undefined, undefined>;
  /** Grants a user or group a level on a library, or revokes it. */
  'POST /library/:library/access': Call<PostCollectionCollectionAccessQuery, types.AccessControlDocument, types.AccessControlDocument>;
  /** Adds access entries to a library. One invalid entry refuses all. */
  'POST /library/:library/access/bulk': Call<None, types.AccessControlListDocument, types.AccessControlListDocument>;
  /** Copies files of the items of a library. */
  'POST /library/:library/export': Call<PostCollectionCollectionExportQuery, undefined, types.JobDocument>;
  /** Writes a list of the items of a library, as a job. */
  'POST /library/:library/list': Call<PostLibraryLibraryListQuery, undefined | Bytes | string, types.JobDocument>;
  /** Shares the library by a secret address, with the rights of the caller. */
  'POST /library/:library/share': Call<None, types.ShareDocument, types.ShareDocument>;
  /** Sets the storage rule of the library for one shape tag. */
  'POST /library/:library/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'POST /library/deletion-lock': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /library/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'POST /license': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'POST /license/slave': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /md5': Call<None, undefined, undefined>;
  /** Grants a user or group a right on a field. From the first entry on, users without an entry have no rights. */
  'POST /metadata-field/:field/access': Call<None, types.MetadataFieldAccessControlDocument, types.MetadataFieldAccessControlDocument>;
  /** The enumeration of a field, for forms. Values of other fields do not restrict it. */
  'POST /metadata-field/:field/allowed-values': Call<None, undefined | types.MetadataFieldValueConstraintListDocument, types.ConstraintValueListDocument>;
  /** Grants a user or group a right on a field group. From the first entry on, users without an entry have no rights. */
  'POST /metadata-field/field-group/:group/access': Call<None, types.MetadataFieldAccessControlDocument, types.MetadataFieldAccessControlDocument>;
  /** Locks fields of the metadata that belongs to no entity against changes by other users. */
  'POST /metadata-lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Moves, renames and deletes fields and groups. Definitions change at once, metadata in the background. Answers the id. */
  'POST /metadata/migration': Call<None, types.MetadataSchemaMigrationDocument, string>;
  /** Creates a notification. */
  'POST /notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'POST /otif': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'POST /otif/job': Call<None, undefined, undefined>;
  /** Answers 501: this service makes no test data. */
  'POST /populate/item': Call<None, undefined, undefined>;
  /** Answers 501: this service makes no test data. */
  'POST /populate/user': Call<None, undefined, undefined>;
  /** Copies one of the posters of an item to a folder, a storage, a bucket or a web server, as a job. */
  'POST /poster/:place/:item/:time/export': Call<GetPosterPlaceItemTimeExportQuery, undefined, types.JobDocument>;
  /** Creates a quota rule. Answers it with its usage. */
  'POST /quota': Call<None, types.QuotaRuleDocument, types.QuotaRuleDocument>;
  /** Creates a notification. */
  'POST /quota/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /quota/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /quota/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /quota/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /quota/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /quota/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /quota/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /quota/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates a notification. */
  'POST /quota/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /quota/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /quota/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /quota/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /quota/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /quota/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /quota/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /quota/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Creates the relations of a document. One invalid relation refuses all. */
  'POST /relation': Call<PostRelationQuery, types.ItemRelationListDocument, types.ItemRelationListDocument>;
  /** Answers 501: resources are documents, and nothing reports to them. */
  'POST /resource': Call<None, undefined, undefined>;
  /** Creates a resource. Thumbnails are stored in the database, so the path of their resource is not used. */
  'POST /resource/:type': Call<None, types.ResourceDocument, types.ResourceDocument>;
  /** Updates the state of a resource. A removed transcoder of this server is not found. */
  'POST /resource/:type/:resource/sync': Call<None, undefined, undefined>;
  /** Registers a runner of the caller. The same name again is the same runner, with what it can do now. */
  'POST /runner': Call<None, types.RunnerDocument, types.RunnerDocument>;
  /** Gives the runner a task that it can do, or answers 204 when there is none. An edge does not wait: its Retry-After is the longest pause of an idle runner. */
  'POST /runner/:runner/claim': Call<PostRunnerRunnerClaimQuery, undefined, types.RunnerTaskDocument | undefined>;
  /** Pauses a runner: it ends what it does, and claims nothing. It stays registered. */
  'POST /runner/:runner/pause': Call<None, undefined, undefined>;
  /** Resumes a runner that is paused: it claims tasks again. */
  'POST /runner/:runner/resume': Call<None, undefined, undefined>;
  /** Ends a task whose result is there. */
  'POST /runner/task/:claim/done': Call<None, types.RunnerResultDocument, undefined>;
  /** Ends a task that failed. Unless the media is to blame, another runner may try. */
  'POST /runner/task/:claim/failed': Call<None, types.RunnerResultDocument, undefined>;
  /** Creates a group for an identity provider (SCIM). */
  'POST /scim/v2/Groups': Call<GetScimV2GroupsGroupQuery, Bytes | string, unknown | undefined>;
  /** Creates a user for an identity provider (SCIM). */
  'POST /scim/v2/Users': Call<GetScimV2GroupsGroupQuery, Bytes | string, unknown | undefined>;
  /** Answers 501: another path builds the index again. */
  'POST /search/flush': Call<None, undefined, undefined>;
  /** Has no effect: the index needs no maintenance. */
  'POST /search/optimize': Call<PostSearchOptimizeQuery, undefined, undefined>;
  /** Answers 501: a sequence belongs to an item. */
  'POST /sequence': Call<None, undefined, undefined>;
  /** The sequence of the body for an editing program. */
  'POST /sequence/export': Call<GetCollectionCollectionVersionExportQuery, types.ExportRequestDocument, types.SequenceDocument & Partial<types.ExportStatusDocument>>;
  /** Renders the sequence of the body into a shape for each tag, as a TIMELINE job. Without destinationItem it creates an item. */
  'POST /sequence/render': Call<PostItemItemSequenceRenderQuery, types.SequenceRenderRequestDocument, types.JobDocument>;
  /** Logs the caller in for the web page: the answer sets a cookie, which no script can read. Over TLS, or on this machine. Where a second factor follows, the answer has the text for the next step. */
  'POST /session': Call<PostAPInoauthSessionEnrolQuery, undefined, types.SecondStepDocument | undefined>;
  /** Creates a notification. */
  'POST /session/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /session/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /session/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /session/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /session/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /session/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /session/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /session/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Sets the storage rule of the shape tag for one shape tag. */
  'POST /shape-tag/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Shares a selection of items by a secret address, with the rights of the caller. The items become a library, which is deleted with its last share. */
  'POST /share': Call<None, types.ShareDocument, types.ShareDocument>;
  /** Gives a share a new address, for its maker. The old one ends, and guests are out at once. */
  'POST /share/:share/token': Call<None, undefined, types.ShareTokenDocument>;
  /** Creates a notification. */
  'POST /share/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /share/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /share/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /share/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /share/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /share/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /share/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /share/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /site': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /site/changeset/:uuid/:site': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'POST /site/initialize': Call<None, undefined, undefined>;
  /** Makes a storage. */
  'POST /storage': Call<None, types.StorageDocument, types.StorageDocument>;
  /** Creates a notification. */
  'POST /storage/:entity/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /storage/:entity/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /storage/:entity/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /storage/:entity/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /storage/:entity/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /storage/:entity/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /storage/:entity/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /storage/:entity/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Registers a file of a storage. Its bytes stay as they are. */
  'POST /storage/:storage/file': Call<PostStorageStorageFileQuery, undefined | types.FileDocument, types.FileDocument>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /storage/:storage/file/:file/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /storage/:storage/file/:file/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /storage/:storage/file/:file/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /storage/:storage/file/:file/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /storage/:storage/file/:file/import/assetmap': Call<None, undefined, undefined>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /storage/:storage/file/:file/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /storage/:storage/file/:file/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /storage/:storage/file/:file/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Uploads a new file to a storage. */
  'POST /storage/:storage/file/data': Call<PostStorageStorageFileDataQuery, Bytes | string, types.FileDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /storage/:storage/file/import/assetmap': Call<None, undefined, undefined>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /storage/:storage/file/path/:path/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /storage/:storage/file/path/:path/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /storage/:storage/file/path/:path/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /storage/:storage/file/path/:path/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /storage/:storage/file/path/:path/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /storage/:storage/file/path/:path/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /storage/:storage/file/path/:path/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /storage/:storage/file/uri/:uri/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /storage/:storage/file/uri/:uri/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /storage/:storage/file/uri/:uri/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /storage/:storage/file/uri/:uri/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /storage/:storage/file/uri/:uri/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /storage/:storage/file/uri/:uri/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /storage/:storage/file/uri/:uri/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Imports the file at a path of a storage as a new item, as a job. A file that no scan has found is registered. */
  'POST /storage/:storage/import': Call<PostStorageStorageImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Starts a scan of a storage, also if scans are off. A running scan continues. A scan that waits for approval starts again. */
  'POST /storage/:storage/rescan': Call<PostStorageStorageRescanQuery, undefined, undefined>;
  /** Registers a file by its address. Its bytes stay as they are. */
  'POST /storage/file': Call<PostStorageStorageFileQuery, undefined | types.FileDocument, types.FileDocument>;
  /** Locks a file against deletion until the lock expires. */
  'POST /storage/file/:entity/deletion-lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /storage/file/:file/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /storage/file/:file/analyze/imp': Call<None, undefined, undefined>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /storage/file/:file/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /storage/file/:file/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /storage/file/:file/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Answers 501: this service reads and writes no packages of IMF. */
  'POST /storage/file/:file/import/assetmap': Call<None, undefined, undefined>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /storage/file/:file/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /storage/file/:file/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /storage/file/:file/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Uploads a new file to the storage of its address. */
  'POST /storage/file/data': Call<PostStorageStorageFileDataQuery, Bytes | string, types.FileDocument>;
  /** Creates a notification. */
  'POST /storage/file/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /storage/file/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /storage/file/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /storage/file/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /storage/file/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /storage/file/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /storage/file/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /storage/file/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /storage/file/path/:path/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /storage/file/path/:path/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /storage/file/path/:path/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /storage/file/path/:path/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /storage/file/path/:path/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /storage/file/path/:path/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /storage/file/path/:path/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Measures the waveform and loudness of the sound of the shape that has a file, as a job. Some codecs need a transcoder. */
  'POST /storage/file/uri/:uri/analyze': Call<PostFileFileAnalyzeQuery, undefined | types.AnalyzeJobDocument, types.JobDocument>;
  /** Replaces the bytes of a file. Readers get the old bytes until the upload is complete. */
  'POST /storage/file/uri/:uri/data': Call<PostFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Lets a file be read again before all others of its storage. */
  'POST /storage/file/uri/:uri/fixity': Call<None, undefined, undefined>;
  /** Imports a file of a storage as a new item, as a job. The file stays where it is. */
  'POST /storage/file/uri/:uri/import': Call<PostFileFileImportQuery, undefined | types.MetadataDocument, types.JobDocument>;
  /** Creates a file entry for moved bytes. Users of the old file use the new one. */
  'POST /storage/file/uri/:uri/path': Call<PostFileFilePathQuery, undefined, types.FileDocument>;
  /** Copies or moves a file to a storage, as a job that compares the hashes. */
  'POST /storage/file/uri/:uri/storage/:target': Call<PostFileFileStorageTargetQuery, undefined, types.JobDocument>;
  /** Creates a temporary link that lets anybody read or write the file. */
  'POST /storage/file/uri/:uri/uri': Call<PostFileFileUriQuery, undefined, types.URIListDocument>;
  /** Creates a storage with one method and the files of an export. Files with an existing id are left out. */
  'POST /storage/import': Call<PostStorageImportQuery, types.StorageImportDocument, undefined>;
  /** Creates a notification. */
  'POST /storage/notification': Call<None, types.NotificationDocument, types.URIListDocument>;
  /** Sends the event of one delivery again. */
  'POST /storage/notification/:notification/delivery/:delivery/retry': Call<None, undefined, undefined>;
  /** Sends one parked event again. */
  'POST /storage/notification/:notification/parked/:sequence/retry': Call<None, undefined, undefined>;
  /** Pauses the deliveries of a notification. */
  'POST /storage/notification/:notification/pause': Call<PostCollectionEntityNotificationNotificationPauseQuery, undefined, undefined>;
  /** Sends events again, since a time. */
  'POST /storage/notification/:notification/replay': Call<PostCollectionEntityNotificationNotificationReplayQuery, undefined, types.ReplayDocument>;
  /** Resumes the deliveries of a notification. */
  'POST /storage/notification/:notification/resume': Call<None, undefined, undefined>;
  /** Creates a new signing secret. Only this answer has it. */
  'POST /storage/notification/:notification/secret': Call<PostCollectionEntityNotificationNotificationSecretQuery, undefined, types.NotificationSecretDocument>;
  /** Sends a sample to a notification. */
  'POST /storage/notification/:notification/test': Call<PostCollectionEntityNotificationNotificationTestQuery, undefined, undefined>;
  /** Starts a scan of each storage. */
  'POST /storage/rescan': Call<None, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'POST /storage/storage-group/:group/restore': Call<None, undefined, undefined>;
  /** Adds steps to job types. They apply to jobs that start later. */
  'POST /task-definition': Call<PostTaskDefinitionQuery, types.TaskDefinitionListDocument, types.URIListDocument & Partial<types.TaskDefinitionListDocument>>;
  /** Creates a job type with the steps of the document. */
  'POST /task-definition/jobtype/:type': Call<PostTaskDefinitionJobtypeTypeQuery, undefined | types.TaskDefinitionListDocument, types.TaskDefinitionListDocument>;
  /** Copies one of the thumbnails of an item to a folder, a storage, a bucket or a web server, as a job. */
  'POST /thumbnail/:place/:item/:time/export': Call<GetPosterPlaceItemTimeExportQuery, undefined, types.JobDocument>;
  /** Answers 501: a transcode begins at an item. */
  'POST /transcode': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'POST /transfertest': Call<None, undefined, undefined>;
  /** Starts a tus upload. Upload-Metadata has the keys storage and path, or filename. With import=true the file becomes an item: its keys are filename, tag, collection, storage, and metadata, a MetadataDocument in JSON. The last answer names file, item and job in the headers `portico-file`, `portico-item` and `portico-job`. */
  'POST /upload': Call<None, undefined | Bytes | string, undefined>;
  /** Creates a user. */
  'POST /user': Call<PostUserQuery, types.UserDocument, types.UserDocument | undefined>;
  /** Answers 501: this service has one site. */
  'POST /user/:entity/site-rule': Call<None, undefined, undefined>;
  /** Creates an access key. Only this answer has its secret. */
  'POST /user/:name/key': Call<PostUserNameKeyQuery, undefined, types.AccessKeyDocument>;
  /** A text by which a user logs in once and chooses a password: the web page takes it behind /ui/first#link=. A new password ends it. */
  'POST /user/:name/link': Call<PostUserNameLinkQuery, undefined, string>;
  /** Removes the password of a user and answers a new salt. */
  'POST /user/:name/password/salt': Call<None, undefined, Response>;
  /** Adds the second factor that was offered. With the first one come recovery codes. */
  'POST /user/:name/second-factor': Call<None, types.NewSecondFactorDocument, types.RecoveryCodesDocument>;
  /** Begins a second factor: the secret for an app, or the challenge for a passkey. It changes nothing. */
  'POST /user/:name/second-factor/offer': Call<None, types.SecondFactorRequestDocument, types.SecondFactorOfferDocument>;
  /** Makes new recovery codes. The old ones are void. */
  'POST /user/:name/second-factor/recovery': Call<None, undefined, types.RecoveryCodesDocument>;
  /** Answers 501: this service has one site. */
  'POST /user/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'POST /vidispine-logs/job': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'POST /vidispine-logs/job/:job/upload': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'POST /vxa': Call<None, undefined, undefined>;
  /** Answers 501: the log is written to standard output. */
  'POST /write-log': Call<None, undefined, undefined>;
  /** Creates the groups viewer, reviewer, editor, librarian and operator with their roles, if they are missing. */
  'PUT /APIinit/groups': Call<None, undefined, string>;
  /** Creates the presets of the release, whose names begin with two underscores, and "lowres" if it is missing. */
  'PUT /APIinit/preset-templates': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'PUT /APIinit/schema/update': Call<None, undefined, undefined>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'PUT /APInoauth/bulky-put/:uuid': Call<None, undefined, undefined>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'PUT /APInoauth/bulky-put/:uuid/:key': Call<None, undefined, undefined>;
  /** Returns the XML document of the request, as JSON or XML. */
  'PUT /APInoauth/debug/echo': Call<None, string, string>;
  /** Replaces the bytes of a file, for every caller with a link to write them. */
  'PUT /APInoauth/file/:file/data': Call<GetAPInoauthFileFileDataQuery, Bytes | string, types.FileDocument>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'PUT /APInoauth/license/auth-info': Call<None, undefined, undefined>;
  /** Takes the result of a task of a runner, from callers with its address. */
  'PUT /APInoauth/runner/task/:claim/target': Call<PutAPInoauthRunnerTaskClaimTargetQuery, Bytes | string, undefined>;
  /** Changes the text, the rectangle or the drawing of a comment of the guest, which counts as another comment. Elements that are left out stay as they are, and empty ones are removed. */
  'PUT /APInoauth/share/:link/item/:item/annotation/:annotation': Call<DeleteAPInoauthShareLinkItemItemAnnotationAnnotationQuery, types.SharedAnnotationDocument, types.SharedAnnotationDocument>;
  /** Answers 501: the programs of the original that report here are none of this service. */
  'PUT /APInoauth/thumbnail-put/:uuid/:time': Call<None, undefined, undefined>;
  /** Sets an auto-projection rule, which updates metadata when other metadata changes. */
  'PUT /auto-projection/:rule': Call<None, types.AutoProjectionRuleDocument, undefined>;
  /** Switches an auto-projection rule off. */
  'PUT /auto-projection/:rule/disable': Call<None, undefined, undefined>;
  /** Switches an auto-projection rule on. */
  'PUT /auto-projection/:rule/enable': Call<None, undefined, undefined>;
  /** Searches collections. */
  'PUT /collection': Call<GetCollectionSavedHashQuery, undefined | types.ItemSearchDocument, types.CollectionListDocument & Partial<types.SearchPlanDocument>>;
  /** Changes name, metadata and members of a collection. */
  'PUT /collection/:collection': Call<PutCollectionCollectionQuery, types.CollectionDocument, types.CollectionDocument>;
  /** Adds a member to the end of a collection. An existing member keeps its position. */
  'PUT /collection/:collection/:member': Call<PutCollectionCollectionMemberQuery, undefined, undefined>;
  /** Makes another user the owner of a collection. */
  'PUT /collection/:collection/access/owner/:user': Call<None, undefined, types.AccessControlDocument>;
  /** Stores a project definition of the collection. */
  'PUT /collection/:collection/definition/:format': Call<None, Bytes | string, undefined>;
  /** Maps clips of the project definition to items. */
  'PUT /collection/:collection/definition/:format/asset': Call<None, types.EssenceMappingsDocument, undefined>;
  /** Stores a file of extra data of a project definition of the collection. */
  'PUT /collection/:collection/definition/:format/extradata': Call<None, Bytes | string, undefined>;
  /** Gives the collection an external id. */
  'PUT /collection/:collection/external-id/:externalId': Call<None, undefined, undefined>;
  /** Makes a field group the main one of a collection. */
  'PUT /collection/:collection/field-group/:group': Call<None, undefined, undefined>;
  /** Sets the folder name of a collection. If it is mapped to a folder, files of its items are moved. */
  'PUT /collection/:collection/folder-name': Call<PutCollectionCollectionFolderNameQuery, undefined, string>;
  /** Searches the items of a collection. */
  'PUT /collection/:collection/item': Call<PutCollectionCollectionItemQuery, undefined | types.ItemSearchDocument, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** Maps a collection to a folder. Files of its items are moved there, below the folders of its parent collections. */
  'PUT /collection/:collection/map-to-folder': Call<None, undefined, undefined>;
  /** Merges a document into the metadata of a collection, as one change set. Other values stay. */
  'PUT /collection/:collection/metadata': Call<PutCollectionCollectionMetadataQuery, types.MetadataDocument, types.MetadataDocument>;
  /** Extends a lock on the metadata of a collection. */
  'PUT /collection/:collection/metadata-lock/:lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Replaces change sets of the metadata of a collection, and computes the metadata again from all change sets. */
  'PUT /collection/:collection/metadata/changes': Call<None, types.MetadataChangeSetDocument, types.MetadataChangeSetDocument>;
  /** Replaces one change set of the metadata of a collection. It keeps its id, its user and its time. */
  'PUT /collection/:collection/metadata/changes/:change': Call<None, types.MetadataDocument, types.MetadataDocument>;
  /** Removes entries without effect from one change set of the metadata of a collection. */
  'PUT /collection/:collection/metadata/changes/:change/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Removes entries without effect from the change sets of the metadata of a collection. */
  'PUT /collection/:collection/metadata/changes/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Changes groups, fields and values of the metadata of a collection by their uuids. */
  'PUT /collection/:collection/metadata/entry': Call<None, types.MetadataEntryListDocument, types.MetadataDocument>;
  /** Changes one group, field or value of the metadata of a collection by its uuid. */
  'PUT /collection/:collection/metadata/entry/:uuid': Call<None, types.MetadataEntryDocument, types.MetadataDocument>;
  /** Moves a field or group of the first level to another timespan of the metadata of a collection. */
  'PUT /collection/:collection/metadata/move': Call<PutCollectionCollectionMetadataMoveQuery, undefined, types.MetadataDocument>;
  /** Sets the name of a collection: the metadata field "title". */
  'PUT /collection/:collection/rename': Call<PutCollectionCollectionRenameQuery, undefined | string, undefined>;
  /** Sets the storage rule for all files of the collection. */
  'PUT /collection/:collection/storage-rule': Call<None, types.StorageRuleDocument, undefined>;
  /** Sets the storage rule of the collection for one shape tag. */
  'PUT /collection/:collection/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Sets from when until when the media of a collection may leave the service, and why. It replaces earlier terms. */
  'PUT /collection/:collection/usage': Call<None, types.UsageDocument, types.UsageDocument>;
  /** Changes when a deletion lock expires, and its metadata. */
  'PUT /collection/:entity/deletion-lock/:lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /collection/:entity/deletion-lock/:lock/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /collection/:entity/deletion-lock/:lock/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Changes a notification. */
  'PUT /collection/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /collection/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /collection/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /collection/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /collection/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /collection/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Searches collections in which one instance of any group matches all criteria. */
  'PUT /collection/metadata-group': Call<PutCollectionMetadataGroupQuery, undefined | types.MetadataGroupSearchDocument, types.CollectionListDocument & Partial<types.SearchPlanDocument>>;
  /** Changes a notification. */
  'PUT /collection/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /collection/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /collection/site-rule/:rule': Call<None, undefined, undefined>;
  /** Sets how bearer tokens are validated. */
  'PUT /configuration/auth': Call<None, types.OAuth2ConfigurationDocument, types.OAuth2ConfigurationDocument>;
  /** Sets where bulky metadata is kept. */
  'PUT /configuration/bulkymetadata': Call<None, types.BulkyMetadataConfigurationDocument, undefined>;
  /** Sets which pages of other origins may call the API. */
  'PUT /configuration/cors': Call<None, types.CORSConfigurationDocument, undefined>;
  /** Sets how many connections to FTP servers are kept. */
  'PUT /configuration/ftp-pool': Call<None, types.FtpPoolConfigurationDocument, undefined>;
  /** Sets what a search server of its own would be told. */
  'PUT /configuration/indexing': Call<None, types.IndexingConfigurationDocument, undefined>;
  /** Sets the job pools. They apply to jobs that start later. */
  'PUT /configuration/job-pool': Call<None, types.JobPoolListDocument, undefined>;
  /** Sets the default priorities of jobs, by type. Other types have MEDIUM. */
  'PUT /configuration/job-priority': Call<None, types.JobPriorityConfigurationDocument, undefined>;
  /** Sets where reports of the log go. */
  'PUT /configuration/logreport': Call<None, types.LogReportConfigurationDocument, undefined>;
  /** Sets which server is told of measurements. */
  'PUT /configuration/metrics': Call<None, types.MetricsConfigurationDocument, undefined>;
  /** Sets the short names of paths in documents. */
  'PUT /configuration/path-alias': Call<None, types.PathAliasConfigurationDocument, undefined>;
  /** Sets one configuration property. */
  'PUT /configuration/properties': Call<None, types.ConfigurationPropertyDocument, undefined>;
  /** Sets one configuration property to the text that is sent. */
  'PUT /configuration/properties/:key': Call<None, string, undefined>;
  /** Sets how long entries of the audit log and jobs are kept. */
  'PUT /configuration/purging': Call<None, types.DatabasePurgingConfigurationDocument, undefined>;
  /** Changes a notification. */
  'PUT /deletion-lock/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /deletion-lock/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Changes when a deletion lock expires, and its metadata. */
  'PUT /deletion-lock/:lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /deletion-lock/:lock/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /deletion-lock/:lock/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Changes a notification. */
  'PUT /deletion-lock/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /deletion-lock/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Searches documents by their metadata. */
  'PUT /document': Call<PutDocumentQuery, undefined | types.ItemSearchDocument, types.SearchResultDocument>;
  /** Merges a document into the metadata of a document, as one change set. Other values stay. */
  'PUT /document/:document': Call<PutCollectionCollectionMetadataQuery, types.MetadataDocument, types.MetadataDocument>;
  /** Replaces change sets of the metadata of a document, and computes the metadata again from all change sets. */
  'PUT /document/:document/changes': Call<None, types.MetadataChangeSetDocument, types.MetadataChangeSetDocument>;
  /** Replaces one change set of the metadata of a document. It keeps its id, its user and its time. */
  'PUT /document/:document/changes/:change': Call<None, types.MetadataDocument, types.MetadataDocument>;
  /** Removes entries without effect from one change set of the metadata of a document. */
  'PUT /document/:document/changes/:change/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Removes entries without effect from the change sets of the metadata of a document. */
  'PUT /document/:document/changes/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Changes groups, fields and values of the metadata of a document by their uuids. */
  'PUT /document/:document/entry': Call<None, types.MetadataEntryListDocument, types.MetadataDocument>;
  /** Changes one group, field or value of the metadata of a document by its uuid. */
  'PUT /document/:document/entry/:uuid': Call<None, types.MetadataEntryDocument, types.MetadataDocument>;
  /** Extends a lock on the metadata of a document. */
  'PUT /document/:document/metadata-lock/:lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Moves a field or group of the first level to another timespan of the metadata of a document. */
  'PUT /document/:document/move': Call<PutCollectionCollectionMetadataMoveQuery, undefined, types.MetadataDocument>;
  /** Changes a notification. */
  'PUT /document/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /document/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /document/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /document/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Creates or replaces an export location. Without a script in the document, the script stays. */
  'PUT /export-location/:location': Call<None, types.ExportLocationDocument, types.ExportLocationDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /export-location/:location/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /export-location/:location/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets the script of an export location. The value of its last statement is the file name. An empty body removes the script. */
  'PUT /export-location/:location/script': Call<None, string, string>;
  /** Creates or replaces an export template. Unknown elements are stored. */
  'PUT /export-template/:template': Call<None, types.ExportTemplateDocument, undefined>;
  /** Answers 501: another path exports. */
  'PUT /export-template/graph/dot': Call<None, undefined, undefined>;
  /** Checks the export template of the body without storing it, and answers the paths of the files that it makes of an item. */
  'PUT /export-template/test': Call<PostExportTemplateTestQuery, types.ExportTemplateDocument, types.URIListDocument>;
  /** Creates or changes a namespace. Existing external ids stay as they are. */
  'PUT /external-id/:namespace': Call<None, types.ExternalIdentifierNamespaceDocument, types.ExternalIdentifierNamespaceDocument>;
  /** Changes when a deletion lock expires, and its metadata. */
  'PUT /file/:entity/deletion-lock/:lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /file/:entity/deletion-lock/:lock/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /file/:entity/deletion-lock/:lock/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /file/:file/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /file/:file/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /file/:file/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /file/:file/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /file/:file/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /file/:file/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /file/:file/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /file/:file/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /file/:file/state/:state': Call<None, undefined, types.FileDocument>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /file/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /file/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /file/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /file/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /file/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Searches groups. */
  'PUT /group': Call<PutGroupQuery, undefined | types.SimpleSearchDocument, types.GroupListDocument>;
  /** Changes a notification. */
  'PUT /group/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /group/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /group/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /group/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'PUT /group/:group/resync': Call<None, undefined, undefined>;
  /** Creates or changes a group. Without a body, an existing group stays as it is. */
  'PUT /group/:name': Call<PutGroupNameQuery, undefined | types.GroupDocument, undefined>;
  /** Sets the description of the group. */
  'PUT /group/:name/description': Call<None, string, undefined>;
  /** Adds the user or group in the path to the group. */
  'PUT /group/:name/group/:child': Call<None, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /group/:name/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /group/:name/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Gives roles to a group and takes others away: all or none. A role that the group has or lacks already is a conflict, since another request was first. */
  'PUT /group/:name/roles': Call<None, types.GroupListDocument, undefined>;
  /** Adds the user or group in the path to the group. */
  'PUT /group/:name/user/:user': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /group/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /group/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /group/site-rule/:rule': Call<None, undefined, undefined>;
  /** Sets the access entry that a group gets on new items, unless their creator has an own entry for the group. */
  'PUT /import/access/default/group/:group': Call<PutImportAccessDefaultGroupGroupQuery, undefined, undefined>;
  /** Sets the access entry that a group gets on new items of the caller. */
  'PUT /import/access/group/:group': Call<PutImportAccessDefaultGroupGroupQuery, undefined, undefined>;
  /** Sets the properties inside files that imports read, and their fields. Without rows imports read none. */
  'PUT /import/embedded-metadata': Call<None, types.EmbeddedMetadataDocument, undefined>;
  /** Gives items back what they had before an import of a table, as a job. What was changed since stays. */
  'PUT /import/metadata-table/:table/undo': Call<DeleteFileFileQuery, undefined, types.JobDocument>;
  /** Changes the entries of a profile. Existing items keep their entries. */
  'PUT /import/settings/:profile': Call<None, types.ImportSettingsDocument, undefined>;
  /** Gives the import settings an external id. */
  'PUT /import/settings/:profile/external-id/:externalId': Call<None, undefined, undefined>;
  /** Searches items. */
  'PUT /item': Call<PutItemQuery, undefined | types.ItemSearchDocument, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** Changes when a deletion lock expires, and its metadata. */
  'PUT /item/:entity/deletion-lock/:lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /item/:entity/deletion-lock/:lock/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /item/:entity/deletion-lock/:lock/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Changes a notification. */
  'PUT /item/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /item/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /item/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /item/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Makes another user the owner of a item. */
  'PUT /item/:item/access/owner/:user': Call<None, undefined, types.AccessControlDocument>;
  /** Changes an annotation. Elements that are left out stay as they are, and empty ones are removed. One of another user needs WRITE on the item, but who is assigned may set its state. */
  'PUT /item/:item/annotation/:annotation': Call<None, types.AnnotationDocument, types.AnnotationDocument>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /item/:item/archive': Call<None, undefined, undefined>;
  /** Concatenates parts of items into a shape of an item, as a job. Scripts of the tags see an empty shape. */
  'PUT /item/:item/conform': Call<PostItemItemConformQuery, undefined | types.ConformRequestDocument, types.JobDocument>;
  /** Answers 501: this service has no contract with the registry EIDR. */
  'PUT /item/:item/eidr/sync': Call<None, undefined, undefined>;
  /** Gives the item an external id. */
  'PUT /item/:item/external-id/:externalId': Call<None, undefined, undefined>;
  /** Makes a field group the main one of an item. */
  'PUT /item/:item/field-group/:group': Call<None, undefined, undefined>;
  /** Answers 501: external ids have another path. */
  'PUT /item/:item/id/:id': Call<None, undefined, undefined>;
  /** Sets until when the item stays locked. */
  'PUT /item/:item/lock': Call<PostItemItemLockQuery, undefined, undefined>;
  /** The loudness of the part and the channels that the body names, after the analysis. Nothing is changed. */
  'PUT /item/:item/loudness': Call<None, types.LoudnessDocument, types.LoudnessDocument>;
  /** Merges a document into the metadata of an item, as one change set. Other values stay. */
  'PUT /item/:item/metadata': Call<PutCollectionCollectionMetadataQuery, types.MetadataDocument, types.MetadataListDocument>;
  /** Extends a lock on the metadata of an item. */
  'PUT /item/:item/metadata-lock/:lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Sets values of the bulky metadata of the item. Other values stay. */
  'PUT /item/:item/metadata/bulky': Call<None, types.BulkyMetadataDocument, undefined>;
  /** Sets one value of the bulky metadata of the item to the text that is sent. */
  'PUT /item/:item/metadata/bulky/:bulky': Call<PutItemItemMetadataBulkyBulkyQuery, string, undefined>;
  /** Replaces change sets of the metadata of an item, and computes the metadata again from all change sets. */
  'PUT /item/:item/metadata/changes': Call<None, types.MetadataChangeSetDocument, types.MetadataChangeSetDocument>;
  /** Replaces one change set of the metadata of an item. It keeps its id, its user and its time. */
  'PUT /item/:item/metadata/changes/:change': Call<None, types.MetadataDocument, types.MetadataDocument>;
  /** Removes entries without effect from one change set of the metadata of an item. */
  'PUT /item/:item/metadata/changes/:change/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Removes entries without effect from the change sets of the metadata of an item. */
  'PUT /item/:item/metadata/changes/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Changes groups, fields and values of the metadata of an item by their uuids. */
  'PUT /item/:item/metadata/entry': Call<None, types.MetadataEntryListDocument, types.MetadataListDocument>;
  /** Changes one group, field or value of the metadata of an item by its uuid. */
  'PUT /item/:item/metadata/entry/:uuid': Call<None, types.MetadataEntryDocument, types.MetadataListDocument>;
  /** Moves a field or group of the first level to another timespan of the metadata of an item. */
  'PUT /item/:item/metadata/move': Call<PutCollectionCollectionMetadataMoveQuery, undefined, types.MetadataListDocument>;
  /** Checks the metadata of an item, or what a document would make of it. Nothing changes. Refuses the first value that its field, or the first number that the metadata schema, does not allow. */
  'PUT /item/:item/metadata/validate': Call<None, undefined | types.MetadataDocument, undefined>;
  /** The resources that have the posters of an item. The first request creates the resource. */
  'PUT /item/:item/posterresource': Call<DeletePosterPlaceItemQuery, undefined, types.URIListDocument>;
  /** Builds the index of one item again. */
  'PUT /item/:item/re-index': Call<None, undefined | string, string>;
  /** Asks archives for the files of an item that have no copy which can be read, as a job. */
  'PUT /item/:item/restore': Call<PostItemItemRestoreQuery, undefined, types.JobDocument>;
  /** Answers 501: a call of the maintenance of the original. */
  'PUT /item/:item/resync': Call<None, undefined, undefined>;
  /** Stores a sequence of the item. In the format "vidispine", a SequenceDocument of existing items. */
  'PUT /item/:item/sequence/:format': Call<None, Bytes | string, types.ItemDocument>;
  /** Answers 501: a sequence belongs to an item. */
  'PUT /item/:item/sequence/:format/extradata': Call<None, undefined, undefined>;
  /** Assigns a file to a component. With the last expected component, a placeholder becomes a complete shape. */
  'PUT /item/:item/shape/:shape/component/:component/file/:file': Call<PutItemItemShapeShapeComponentComponentFileFileQuery, undefined, types.ComponentDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /item/:item/shape/:shape/component/:component/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /item/:item/shape/:shape/component/:component/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets values of the bulky metadata of the component. Other values stay. */
  'PUT /item/:item/shape/:shape/component/:component/metadata/bulky': Call<None, types.BulkyMetadataDocument, undefined>;
  /** Sets one value of the bulky metadata of the component to the text that is sent. */
  'PUT /item/:item/shape/:shape/component/:component/metadata/bulky/:bulky': Call<PutItemItemMetadataBulkyBulkyQuery, string, undefined>;
  /** Gives the shape an external id. */
  'PUT /item/:item/shape/:shape/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the file name of a shape on a storage. A job renames an existing file. */
  'PUT /item/:item/shape/:shape/filename/:storage': Call<PutItemItemShapeShapeFilenameStorageQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /item/:item/shape/:shape/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /item/:item/shape/:shape/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets values of the bulky metadata of the shape. Other values stay. */
  'PUT /item/:item/shape/:shape/metadata/bulky': Call<None, types.BulkyMetadataDocument, undefined>;
  /** Sets one value of the bulky metadata of the shape to the text that is sent. */
  'PUT /item/:item/shape/:shape/metadata/bulky/:bulky': Call<PutItemItemMetadataBulkyBulkyQuery, string, undefined>;
  /** Adds a media type to a shape. */
  'PUT /item/:item/shape/:shape/mime/:mime': Call<None, undefined, undefined>;
  /** Sets the total number of components of a placeholder, by parameters or by keys of the same names. */
  'PUT /item/:item/shape/:shape/placeholder': Call<PostItemItemShapePlaceholderQuery, undefined | types.SimpleMetadataDocument, undefined>;
  /** Sets a storage rule for this shape alone. */
  'PUT /item/:item/shape/:shape/storage-rule': Call<None, types.StorageRuleDocument, undefined>;
  /** Adds a tag to a shape. Each version has one original: adding that tag removes it from another shape. */
  'PUT /item/:item/shape/:shape/tag/:tag': Call<None, undefined, undefined>;
  /** Sets from when until when the media of a shape may leave the service, and why. It replaces earlier terms. */
  'PUT /item/:item/shape/:shape/usage': Call<None, types.UsageDocument, types.UsageDocument>;
  /** Copies a shape as the essence version with this number. Both have the same files. */
  'PUT /item/:item/shape/:shape/version/:version': Call<None, undefined, types.ShapeDocument>;
  /** Gives an essence version the state in-review, approved or rejected, with a comment. Who may write the item and annotations asks for a review. */
  'PUT /item/:item/shape/version/:version/approval': Call<None, types.ApprovalDocument, types.ApprovalDocument>;
  /** Sets the storage rule for all files of the item. */
  'PUT /item/:item/storage-rule': Call<None, types.StorageRuleDocument, undefined>;
  /** Sets the storage rule of the item for one shape tag. */
  'PUT /item/:item/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** The resources that have the thumbnails of an item. The first request creates the resource. */
  'PUT /item/:item/thumbnailresource': Call<DeletePosterPlaceItemQuery, undefined, types.URIListDocument>;
  /** Stores a timeline of the item. */
  'PUT /item/:item/timeline/:format': Call<None, Bytes | string, undefined>;
  /** Sets from when until when the media of an item may leave the service, and why. It replaces earlier terms. */
  'PUT /item/:item/usage': Call<None, types.UsageDocument, types.UsageDocument>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /item/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /item/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /item/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Searches items in which one instance of any group matches all criteria. */
  'PUT /item/metadata-group': Call<PutItemMetadataGroupQuery, undefined | types.MetadataGroupSearchDocument, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** Changes a notification. */
  'PUT /item/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /item/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: another path builds the index again. */
  'PUT /item/re-index': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /item/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /item/site-rule/:rule': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /job/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /job/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the priority of a job, or starts a job on HOLD: status=READY. */
  'PUT /job/:job': Call<PutJobJobQuery, undefined, undefined>;
  /** Gives the job an external id. */
  'PUT /job/:job/external-id/:externalId': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /job/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /job/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Jobs of all users that match all fields of the document, the newest first. */
  'PUT /job/search': Call<PutJobSearchQuery, types.JobSearchDocument, types.JobListDocument>;
  /** Changes when a deletion lock expires, and its metadata. */
  'PUT /library/:entity/deletion-lock/:lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /library/:entity/deletion-lock/:lock/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /library/:entity/deletion-lock/:lock/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /library/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Adds the items of the document to a library. */
  'PUT /library/:library': Call<None, types.ItemListDocument, undefined>;
  /** Adds an item to a library. */
  'PUT /library/:library/:item': Call<None, undefined, undefined>;
  /** Makes another user the owner of a library. */
  'PUT /library/:library/access/owner/:user': Call<None, undefined, types.AccessControlDocument>;
  /** Answers 501: this service has no contract with the registry EIDR. */
  'PUT /library/:library/eidr/sync': Call<None, undefined, undefined>;
  /** Gives the library an external id. */
  'PUT /library/:library/external-id/:externalId': Call<None, undefined, undefined>;
  /** Merges a document into the metadata of all items of a library, as a job. Items that the caller may not change are skipped. */
  'PUT /library/:library/item-metadata': Call<DeleteFileFileQuery, types.MetadataDocument, types.JobDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /library/:library/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /library/:library/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Changes the refresh settings of a library. Elements that the document leaves out stay. */
  'PUT /library/:library/settings': Call<None, types.LibrarySettingsDocument, undefined>;
  /** Sets the storage rule for all files of the library. */
  'PUT /library/:library/storage-rule': Call<None, types.StorageRuleDocument, undefined>;
  /** Sets the storage rule of the library for one shape tag. */
  'PUT /library/:library/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /library/deletion-lock/:lock': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /library/deletion-lock/:lock/metadata': Call<None, undefined, undefined>;
  /** Answers 501: a deletion lock has one entity, or none in its path. */
  'PUT /library/deletion-lock/:lock/metadata/:key': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /library/site-rule/:rule': Call<None, undefined, undefined>;
  /** Answers 501: this service needs no licence. */
  'PUT /license/slave': Call<None, undefined, undefined>;
  /** Merges a document into the metadata that belongs to no entity, as one change set. Other values stay. */
  'PUT /metadata': Call<PutCollectionCollectionMetadataQuery, types.MetadataDocument, types.MetadataDocument>;
  /** Creates or updates a metadata field. Elements that the document leaves out stay. */
  'PUT /metadata-field/:field': Call<None, types.MetadataFieldDocument, types.MetadataFieldDocument>;
  /** Answers 501: the data of a field have another path. */
  'PUT /metadata-field/:field/:externalId': Call<None, undefined, undefined>;
  /** Gives the metadata-field an external id. */
  'PUT /metadata-field/:field/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /metadata-field/:field/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /metadata-field/:field/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Replaces the enumeration of a field. It only suggests values: metadata takes others, too. */
  'PUT /metadata-field/:field/values': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Finds metadata groups of items and collections in which one instance matches all criteria. */
  'PUT /metadata-field/field-group': Call<PutMetadataFieldFieldGroupQuery, undefined | types.ItemSearchDocument, types.MetadataFieldResultDocument>;
  /** Creates a field group, or adds the members of the document. Creates missing fields, and groups inside. */
  'PUT /metadata-field/field-group/:group': Call<PutMetadataFieldFieldGroupGroupQuery, undefined | types.MetadataFieldGroupDocument, undefined>;
  /** Adds a field as a member of a field group. */
  'PUT /metadata-field/field-group/:group/:field': Call<None, undefined, undefined>;
  /** Gives the field-group an external id. */
  'PUT /metadata-field/field-group/:group/external-id/:externalId': Call<None, undefined, undefined>;
  /** Adds a group as a member of a field group. */
  'PUT /metadata-field/field-group/:group/group/:child': Call<None, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /metadata-field/field-group/:group/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /metadata-field/field-group/:group/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Extends a lock on the metadata that belongs to no entity. */
  'PUT /metadata-lock/:lock': Call<PostCollectionCollectionMetadataLockQuery, undefined, types.MetadataLockDocument>;
  /** Sets the metadata schema: fields and subgroups of each group. Only PUT /item/{item}/metadata/validate checks metadata against it. */
  'PUT /metadata-schema': Call<None, types.MetadataSchemaDocument, undefined>;
  /** Sets the fields and subgroups of one group in the metadata schema. */
  'PUT /metadata-schema/:group': Call<None, types.MetadataSchemaGroupDocument, undefined>;
  /** Replaces change sets of the metadata that belongs to no entity, and computes the metadata again from all change sets. */
  'PUT /metadata/changes': Call<None, types.MetadataChangeSetDocument, types.MetadataChangeSetDocument>;
  /** Replaces one change set of the metadata that belongs to no entity. It keeps its id, its user and its time. */
  'PUT /metadata/changes/:change': Call<None, types.MetadataDocument, types.MetadataDocument>;
  /** Removes entries without effect from one change set of the metadata that belongs to no entity. */
  'PUT /metadata/changes/:change/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Removes entries without effect from the change sets of the metadata that belongs to no entity. */
  'PUT /metadata/changes/trim': Call<None, undefined, types.MetadataChangeSetDocument>;
  /** Stores a metadata dataset: RDF/XML, Turtle or JSON-LD. */
  'PUT /metadata/dataset/:dataset': Call<None, Bytes | string, undefined>;
  /** Changes groups, fields and values of the metadata that belongs to no entity by their uuids. */
  'PUT /metadata/entry': Call<None, types.MetadataEntryListDocument, types.MetadataDocument>;
  /** Changes one group, field or value of the metadata that belongs to no entity by its uuid. */
  'PUT /metadata/entry/:uuid': Call<None, types.MetadataEntryDocument, types.MetadataDocument>;
  /** Moves a field or group of the first level to another timespan of the metadata that belongs to no entity. */
  'PUT /metadata/move': Call<PutCollectionCollectionMetadataMoveQuery, undefined, types.MetadataDocument>;
  /** Changes a notification. */
  'PUT /notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'PUT /otif/:otif': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'PUT /otif/:otif/configuration': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'PUT /otif/:otif/configuration/:entry': Call<None, undefined, undefined>;
  /** Answers 501: this service runs no analysis tools of others in its transcoder. */
  'PUT /otif/:otif/resource/:name': Call<None, undefined, undefined>;
  /** Answers 501: pictures belong to an item. */
  'PUT /poster/:place/:item': Call<None, undefined, undefined>;
  /** Sets one of the posters: a PNG or a JPEG. It replaces one at the same time. */
  'PUT /poster/:place/:item/:time': Call<DeletePosterPlaceItemQuery, Bytes | string, string>;
  /** Stores the stylesheet of a projection for incoming metadata: XSLT 1.0, with the parts of 2.0 that the guide names. */
  'PUT /projection/:projection/incoming': Call<None, Bytes | string, undefined>;
  /** Stores the stylesheet of a projection for outgoing metadata: XSLT 1.0, with the parts of 2.0 that the guide names. */
  'PUT /projection/:projection/outgoing': Call<None, Bytes | string, undefined>;
  /** Changes a notification. */
  'PUT /quota/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /quota/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Replaces a quota rule. Without a document, evaluates it again. */
  'PUT /quota/:rule': Call<None, undefined | types.QuotaRuleDocument, types.QuotaRuleDocument | undefined>;
  /** Evaluates a quota rule again. */
  'PUT /quota/:rule/evaluate': Call<None, undefined, undefined>;
  /** Gives the quota-rule an external id. */
  'PUT /quota/:rule/external-id/:externalId': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /quota/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /quota/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Starts, pauses, continues or aborts a re-index. */
  'PUT /reindex/:index': Call<PutReindexIndexQuery, undefined | string, types.ReindexRequestDocument>;
  /** Changes direction and metadata of a relation. A parameter without a value removes its key. */
  'PUT /relation/:relation': Call<PutRelationRelationQuery, undefined, types.ItemRelationDocument>;
  /** Replaces a resource. */
  'PUT /resource/:type/:resource': Call<None, types.ResourceDocument, types.ResourceDocument>;
  /** Answers 501: resources are documents, and nothing reports to them. */
  'PUT /resource/:type/:resource/backupstorages': Call<None, undefined, undefined>;
  /** Answers 501: resources are documents, and nothing reports to them. */
  'PUT /resource/:type/:resource/status': Call<None, undefined, undefined>;
  /** Renews the lease of a task, tells its progress, and answers addresses that end later. */
  'PUT /runner/task/:claim': Call<PutRunnerTaskClaimQuery, undefined, types.RunnerTaskDocument>;
  /** Replaces the users of a group (SCIM). */
  'PUT /scim/v2/Groups/:group': Call<GetScimV2GroupsGroupQuery, Bytes | string, unknown | undefined>;
  /** Replaces what identity providers say of a user (SCIM). */
  'PUT /scim/v2/Users/:user': Call<GetScimV2GroupsGroupQuery, Bytes | string, unknown | undefined>;
  /** Searches items and collections. */
  'PUT /search': Call<GetSearchSavedHashQuery, undefined | types.ItemSearchDocument, types.SearchResultDocument & Partial<types.SearchPlanDocument>>;
  /** Autocompletes a text with values or words of items and collections. */
  'PUT /search/autocomplete': Call<None, types.AutocompleteRequestDocument, types.AutocompleteResponseDocument>;
  /** Searches files, also by criteria of their items and shapes. */
  'PUT /search/file': Call<GetSearchFileSavedHashQuery, undefined | types.ItemSearchDocument, types.FileListDocument & Partial<types.SearchPlanDocument>>;
  /** Searches items and collections in which one instance of any group matches all criteria. */
  'PUT /search/metadata-group': Call<PutSearchMetadataGroupQuery, undefined | types.MetadataGroupSearchDocument, types.SearchResultDocument & Partial<types.SearchPlanDocument>>;
  /** Searches shapes. */
  'PUT /search/shape': Call<PutSearchShapeQuery, undefined | types.ItemSearchDocument, types.ShapeListDocument & Partial<types.SearchPlanDocument>>;
  /** Searches items and collections as version 2 of the original does: fields name their groups, and timed criteria stand apart. */
  'PUT /search2': Call<PutSearchMetadataGroupQuery, undefined | types.Search2Document, types.SearchResultDocument & Partial<types.SearchPlanDocument>>;
  /** Searches collections as version 2 of the original does: fields name their groups, and timed criteria stand apart. */
  'PUT /search2/collection': Call<PutCollectionMetadataGroupQuery, undefined | types.Search2Document, types.CollectionListDocument & Partial<types.SearchPlanDocument>>;
  /** Searches files as version 2 of the original does: fields name their groups, and timed criteria stand apart. */
  'PUT /search2/file': Call<PutSearch2FileQuery, undefined | types.Search2Document, types.FileListDocument & Partial<types.SearchPlanDocument>>;
  /** Searches items as version 2 of the original does: fields name their groups, and timed criteria stand apart. */
  'PUT /search2/item': Call<PutItemMetadataGroupQuery, undefined | types.Search2Document, types.ItemListDocument & Partial<types.SearchPlanDocument>>;
  /** Searches shapes as version 2 of the original does: fields name their groups, and timed criteria stand apart. */
  'PUT /search2/shape': Call<PutSearchShapeQuery, undefined | types.Search2Document, types.ShapeListDocument & Partial<types.SearchPlanDocument>>;
  /** Makes a secret without values. One that is there stays as it is. */
  'PUT /secret/:alias': Call<None, undefined, types.SecretDocument>;
  /** Sets a value of a secret: username, password, private_key or private_key_password. */
  'PUT /secret/:alias/:key': Call<None, string, undefined>;
  /** Changes a notification. */
  'PUT /session/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /session/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Creates a shape tag, or replaces its preset. Unknown elements are stored. */
  'PUT /shape-tag/:tag': Call<None, types.TranscodePresetDocument, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /shape-tag/:tag/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /shape-tag/:tag/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets the script of a shape tag. It runs before each transcoding and can change the preset. */
  'PUT /shape-tag/:tag/script': Call<None, string, undefined>;
  /** Sets the storage rule for all files of the shape tag. */
  'PUT /shape-tag/storage-rule': Call<None, types.StorageRuleDocument, undefined>;
  /** Sets the storage rule of the shape tag for one shape tag. */
  'PUT /shape-tag/storage-rule/:tag': Call<None, types.StorageRuleDocument, undefined>;
  /** Changes what a share allows, and opens it again after logins of its maker were revoked. Only the password stays where it is left out. The address stays. */
  'PUT /share/:share': Call<None, types.ShareDocument, types.ShareDocument>;
  /** Changes a notification. */
  'PUT /share/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /share/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/:site': Call<None, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /site/:site/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /site/:site/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/:site/site-rule/:type': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/:site/site-rule/:type/:rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/changeset/available': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/file/rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/file/rule/:tag/test': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /site/file/rule/test': Call<None, undefined, undefined>;
  /** Changes a notification. */
  'PUT /storage/:entity/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /storage/:entity/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Changes a storage: properties, methods and metadata. Elements that the document leaves out stay. */
  'PUT /storage/:storage': Call<None, types.StorageDocument, types.StorageDocument>;
  /** Sets the auto-import rule of a storage. */
  'PUT /storage/:storage/auto-import': Call<None, types.AutoImportRuleDocument, undefined>;
  /** Disables the auto-import rule of a storage. */
  'PUT /storage/:storage/auto-import/disable': Call<None, undefined, undefined>;
  /** Enables the auto-import rule of a storage. */
  'PUT /storage/:storage/auto-import/enable': Call<None, undefined, undefined>;
  /** Evacuates a storage: moves all its files to other storages. It takes no new files. */
  'PUT /storage/:storage/evacuate': Call<None, undefined, undefined>;
  /** Gives the storage an external id. */
  'PUT /storage/:storage/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /storage/:storage/file/:file/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /storage/:storage/file/:file/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /storage/:storage/file/:file/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /storage/:storage/file/:file/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/:storage/file/:file/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/:storage/file/:file/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /storage/:storage/file/:file/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /storage/:storage/file/:file/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /storage/:storage/file/:file/state/:state': Call<None, undefined, types.FileDocument>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /storage/:storage/file/path/:path/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /storage/:storage/file/path/:path/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /storage/:storage/file/path/:path/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /storage/:storage/file/path/:path/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/:storage/file/path/:path/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/:storage/file/path/:path/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /storage/:storage/file/path/:path/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /storage/:storage/file/path/:path/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /storage/:storage/file/path/:path/state/:state': Call<None, undefined, types.FileDocument>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /storage/:storage/file/uri/:uri/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /storage/:storage/file/uri/:uri/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /storage/:storage/file/uri/:uri/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /storage/:storage/file/uri/:uri/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/:storage/file/uri/:uri/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/:storage/file/uri/:uri/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /storage/:storage/file/uri/:uri/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /storage/:storage/file/uri/:uri/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /storage/:storage/file/uri/:uri/state/:state': Call<None, undefined, types.FileDocument>;
  /** Lets the files of a storage be read again within some days, at a bounded rate, and compared with their hashes. */
  'PUT /storage/:storage/fixity': Call<None, types.FixityDocument, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/:storage/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/:storage/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Adds a method to a storage, or changes the method with the address. */
  'PUT /storage/:storage/method': Call<PutStorageStorageMethodQuery, undefined, types.StorageMethodListDocument>;
  /** Changes a method. The address is required. Other parameters that are left out stay. */
  'PUT /storage/:storage/method/:method': Call<PutStorageStorageMethodQuery, undefined, types.StorageMethodListDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/:storage/method/:method/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/:storage/method/:method/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Answers 501: scans set the state of a storage, and metadata has another path. */
  'PUT /storage/:storage/status': Call<None, undefined, undefined>;
  /** Changes the type of a storage. */
  'PUT /storage/:storage/type/:type': Call<None, undefined, undefined>;
  /** Changes when a deletion lock expires, and its metadata. */
  'PUT /storage/file/:entity/deletion-lock/:lock': Call<None, types.DeletionLockDocument, types.DeletionLockDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/file/:entity/deletion-lock/:lock/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/file/:entity/deletion-lock/:lock/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /storage/file/:file/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /storage/file/:file/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /storage/file/:file/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /storage/file/:file/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/file/:file/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/file/:file/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /storage/file/:file/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /storage/file/:file/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /storage/file/:file/state/:state': Call<None, undefined, types.FileDocument>;
  /** Changes a notification. */
  'PUT /storage/file/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /storage/file/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /storage/file/path/:path/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /storage/file/path/:path/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /storage/file/path/:path/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /storage/file/path/:path/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/file/path/:path/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/file/path/:path/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /storage/file/path/:path/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /storage/file/path/:path/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /storage/file/path/:path/state/:state': Call<None, undefined, types.FileDocument>;
  /** Removes a file from its components, which stay. The caller needs WRITE on their items. */
  'PUT /storage/file/uri/:uri/abandon': Call<PutFileFileAbandonQuery, undefined, undefined>;
  /** Answers 501: storage rules move files to an archive. */
  'PUT /storage/file/uri/:uri/archive': Call<None, undefined, undefined>;
  /** Gives the file an external id. */
  'PUT /storage/file/uri/:uri/external-id/:externalId': Call<None, undefined, undefined>;
  /** Sets the hash of a file. */
  'PUT /storage/file/uri/:uri/hash/:hash': Call<PutFileFileHashHashQuery, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/file/uri/:uri/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/file/uri/:uri/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Has no effect, because the index of files is always current. Answers the id. */
  'PUT /storage/file/uri/:uri/re-index': Call<None, undefined, string>;
  /** Asks an archive for a file, as a job that waits until the file can be read. */
  'PUT /storage/file/uri/:uri/restore': Call<PutFileFileRestoreQuery, undefined, types.JobDocument>;
  /** Sets the state of a file. Every transition is allowed. */
  'PUT /storage/file/uri/:uri/state/:state': Call<None, undefined, types.FileDocument>;
  /** Changes a notification. */
  'PUT /storage/notification/:notification': Call<None, types.NotificationDocument, types.NotificationDocument>;
  /** Gives the notification an external id. */
  'PUT /storage/notification/:notification/external-id/:externalId': Call<None, undefined, undefined>;
  /** Creates a storage group. An existing group stays as it is. */
  'PUT /storage/storage-group/:group': Call<None, undefined, undefined>;
  /** Adds a storage to a storage group. */
  'PUT /storage/storage-group/:group/:storage': Call<None, undefined, undefined>;
  /** Answers 501: scans set the state of a storage, and metadata has another path. */
  'PUT /storage/storage-group/:group/data/:key': Call<None, undefined, undefined>;
  /** Sets metadata. Other keys stay. */
  'PUT /storage/storage-group/:group/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /storage/storage-group/:group/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Replaces an added step. */
  'PUT /task-definition/:task': Call<None, types.TaskDefinitionDocument, types.TaskDefinitionDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /task-definition/:task/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /task-definition/:task/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets the script of an added step. */
  'PUT /task-definition/:task/script': Call<None, string, types.TaskDefinitionDocument>;
  /** Adds a step to a job type, or replaces an added step. */
  'PUT /task-definition/jobtype/:type/step/:step': Call<None, types.TaskDefinitionDocument, types.TaskDefinitionDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /task-definition/jobtype/:type/step/:step/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /task-definition/jobtype/:type/step/:step/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets the script of an added step. */
  'PUT /task-definition/jobtype/:type/step/:step/script': Call<None, string, types.TaskDefinitionDocument>;
  /** Creates a task group, or replaces its description. Its metadata is set key by key. */
  'PUT /task-group/:name': Call<None, undefined | types.TaskGroupDocument, types.TaskGroupDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /task-group/:name/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /task-group/:name/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Adds a transcoder to a task group. */
  'PUT /task-group/:name/transcoder/:transcoder': Call<None, undefined | types.TaskGroupDocument, undefined>;
  /** Answers 501: pictures belong to an item. */
  'PUT /thumbnail/:place/:item': Call<None, undefined, undefined>;
  /** Sets one of the thumbnails: a PNG or a JPEG. It replaces one at the same time. */
  'PUT /thumbnail/:place/:item/:time': Call<DeletePosterPlaceItemQuery, Bytes | string, string>;
  /** Sets the priority of an upload in parts. */
  'PUT /transfer/:transfer': Call<PutTransferTransferQuery, undefined, types.TransferDocument>;
  /** Searches users. */
  'PUT /user': Call<PutUserQuery, undefined | types.SimpleSearchDocument, types.UserListDocument>;
  /** Answers 501: this service has one site. */
  'PUT /user/:entity/site-rule': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /user/:entity/site-rule/:rule': Call<None, undefined, undefined>;
  /** Changes a user; without a body it creates one. */
  'PUT /user/:name': Call<PostUserQuery, undefined | types.UserDocument, types.UserDocument | undefined>;
  /** Adds an alias to a user. */
  'PUT /user/:name/alias/:alias': Call<None, undefined, undefined>;
  /** Enables a user that was disabled. */
  'PUT /user/:name/enable': Call<None, undefined, undefined>;
  /** Adds a user to groups and removes it from others. */
  'PUT /user/:name/groups': Call<PutUserNameGroupsQuery, types.GroupListDocument, undefined>;
  /** Changes the name or the status of an access key. */
  'PUT /user/:name/key/:key': Call<None, types.AccessKeyDocument, types.AccessKeyDocument>;
  /** Sets where and of what a user gets mail. A new address of a user gets a code, which the user sends here. */
  'PUT /user/:name/mail': Call<None, types.MailDocument, types.MailDocument>;
  /** Sets metadata. Other keys stay. */
  'PUT /user/:name/metadata': Call<None, types.SimpleMetadataDocument, undefined>;
  /** Sets one key to the text that is sent, or the keys below it to a document. */
  'PUT /user/:name/metadata/:key*': Call<None, string | types.SimpleMetadataDocument, undefined>;
  /** Sets the password of a user. Who logs in by a link chooses one. That of an administrator, or of a user who may act for others, has at least 8 characters. */
  'PUT /user/:name/password': Call<PutUserNamePasswordQuery, string, undefined>;
  /** Lets the next account of the name log in as the user, where joinsUsers of the login is "provisioned". */
  'PUT /user/:name/provisioned': Call<None, undefined, undefined>;
  /** Sets the real name of a user. */
  'PUT /user/:name/realname': Call<None, string, undefined>;
  /** Renames a second factor. */
  'PUT /user/:name/second-factor/:factor': Call<None, types.SecondFactorDocument, undefined>;
  /** Answers OK if the body is the password of the user. */
  'PUT /user/:name/validate': Call<PutUserNamePasswordQuery, string, string>;
  /** Answers 501: a call of the maintenance of the original. */
  'PUT /user/:user/resync': Call<None, undefined, undefined>;
  /** Answers 501: this service has one site. */
  'PUT /user/site-rule/:rule': Call<None, undefined, undefined>;
  /** Switches all background work off, on every instance. */
  'PUT /vidispine-service/disable': Call<None, undefined, undefined>;
  /** Switches all background work on, on every instance. */
  'PUT /vidispine-service/enable': Call<None, undefined, undefined>;
  /** Switches one kind of background work off, on every instance. */
  'PUT /vidispine-service/service/:service/disable': Call<None, undefined, undefined>;
  /** Switches one kind of background work on, on every instance. */
  'PUT /vidispine-service/service/:service/enable': Call<None, undefined, undefined>;
  /** Answers 501: a call of the maintenance of the original. */
  'PUT /vidispine-service/service/:service/loop': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/configuration': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/connection-established': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/file-information': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/files': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/job': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/mount/:mount': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/:uuid/ping': Call<None, undefined, undefined>;
  /** Answers 501: this service has no agents. */
  'PUT /vxa/enable-ssh': Call<None, undefined, undefined>;
}
