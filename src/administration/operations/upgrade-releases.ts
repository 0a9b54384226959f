/**
 * Upgrade steps by release. The rows are those of the upgrade notes of the original, whose releases clients and
 * operators know.
 */

export const tasks = ['set', 'check', 'free', 'migrate', 'initialise', 'reindex', 'read'] as const;
export type Task = (typeof tasks)[number];

export interface Need {
  readonly task: Task;
  readonly says: string;
  /** Subject of the task: an index, a setting, a role. */
  readonly of?: readonly string[];
}

interface ReleaseRow {
  /** Release before the upgrade, and the release with the note. */
  readonly from: string;
  readonly to: string;
  readonly needs: readonly Need[];
}

/** Numbers of releases, as far as they are known. From 21 on each year has four. */
export const releases: readonly string[] = [
  ...numbers(4, 0, 17),
  ...numbers(5, 0, 6),
  ...[21, 22, 23, 24, 25].flatMap((year) => numbers(year, 1, 4)),
];

function numbers(major: number, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `${major}.${first + at}`);
}

const initialise = (says: string, ...of: readonly string[]): Need => ({ task: 'initialise', says, of });
const reindex = (says: string, ...of: readonly string[]): Need => ({ task: 'reindex', says, of });
const read = (says: string): Need => ({ task: 'read', says });
const migrate = (says: string): Need => ({ task: 'migrate', says });

/** Indexes of entities: what a full re-index is about. */
const everyIndex = ['item', 'collection', 'file'];

const adjusted = migrate('The database schema is adjusted.');

/** Added to each release that has no note on its migration: only maintenance releases typically need none. */
export const defaultMigration = migrate('A major or minor upgrade migrates the database.');

/** Releases of these years have no upgrade notes. */
export const hasNoNotes = (release: string): boolean => /^2[15]\./.test(release);
export const noNotes = read('No change that programs must know is published for this release.');

export const sameIndex = read('The documents of the search index are unchanged: no re-index.');

/** The notes say that the index stays as it is in these, and in all up to 5.1 that name no re-index. */
const others = ['5.2', '5.4', '23.1', '23.2', '23.3', '23.4', '24.1'];
export const keepsIndex = (release: string): boolean =>
  others.includes(release) || releases.indexOf(release) <= releases.indexOf('5.1');

const platforms = read('Several older application servers and operating systems are no longer supported.');

export const releaseRows: readonly ReleaseRow[] = [
  {
    from: '4.0',
    to: '4.1',
    needs: [
      {
        task: 'check',
        says: 'On Linux the limit of file descriptors must be at least 50000.',
        of: ['file descriptors'],
      },
      read('The client of a storage vendor does not work with older servers of that vendor.'),
      platforms,
    ],
  },
  {
    from: '4.1',
    to: '4.2',
    needs: [
      reindex('The indexing of items, collections and files changed.', ...everyIndex),
      read('The essence version resource answers EssenceVersionListDocument instead of URIListDocument.'),
    ],
  },
  {
    from: '4.3',
    to: '4.4',
    needs: [
      {
        task: 'set',
        says: 'indexCollectionItemOrder is false from here on: set it to true before, to keep what it did.',
        of: ['indexCollectionItemOrder'],
      },
      read(
        'Scripts of transcode presets also run for conform jobs, with an empty shape: they must look for components.',
      ),
    ],
  },
  { from: '4.4', to: '4.5', needs: [read('Java 7 and several older application servers are no longer supported.')] },
  { from: '4.5', to: '4.6', needs: [platforms] },
  {
    from: '4.6',
    to: '4.7',
    needs: [
      { task: 'set', says: 'The index schema must know a long integer.', of: ['index schema'] },
      read('A newer kit of a storage vendor is installed.'),
    ],
  },
  { from: '4.8', to: '4.9', needs: [platforms] },
  {
    from: '4.11',
    to: '4.12',
    needs: [
      {
        task: 'free',
        says: 'Custom job steps on the new numbers are overwritten: give them others and make them again.',
      },
      initialise('Shapes are deduced by asynchronous job steps.', 'job steps'),
    ],
  },
  {
    from: '4.13',
    to: '4.14',
    needs: [
      {
        task: 'set',
        says: 'A re-index of items no longer includes thumbnails: set disableThumbnailReindexing to false to keep that.',
        of: ['disableThumbnailReindexing'],
      },
      initialise('The role _vxa_read and job steps for checksums are new.', '_vxa_read', 'job steps'),
      reindex('Older access entries of collections that hold libraries need it.', 'acl'),
    ],
  },
  {
    from: '4.14',
    to: '4.15',
    needs: [read('The job type of a raw import to a placeholder is PLACEHOLDER_IMPORT, not THUMBNAIL or TRANSCODE.')],
  },
  { from: '4.16', to: '4.17', needs: [initialise('Metadata fields for TTML are new.', 'metadata fields')] },
  {
    from: '4.17',
    to: '5.0',
    needs: [
      migrate('Release 4.17 must have migrated the database before.'),
      initialise('Roles are new.', 'roles'),
      reindex('The search index and the indexing of dataset fields changed.', ...everyIndex),
      read('The search index servers 8.1.0 and 6.8.1 and the message broker 5.15.9 are supported.'),
    ],
  },
  { from: '5.0', to: '5.1', needs: [initialise('A job step for raw and essence imports is new.', 'job steps')] },
  { from: '5.1', to: '5.2', needs: [] },
  {
    from: '5.2',
    to: '5.3',
    needs: [
      {
        task: 'check',
        says: 'External ids must be unique for each type of entity. Remove each duplicate with DELETE /{entity type}/{entity id}/{external id} before the migration.',
        of: ['external ids'],
      },
    ],
  },
  { from: '5.3', to: '5.4', needs: [] },
  {
    from: '5.4',
    to: '5.5',
    needs: [
      migrate('The migrations of metadata and collections may take long.'),
      initialise('A step of analyze jobs is new.', 'job steps'),
      read(
        'A search with a cursor answers a cursor at its end, too: fewer hits than asked for, or the same cursor, end it.',
      ),
      read('With indexCollectionItemOrder the order is ascending, by the first entry of an item in each collection.'),
    ],
  },
  { from: '22.1', to: '22.2', needs: [reindex('A move to the newer search engine needs it.', ...everyIndex)] },
  {
    from: '22.3',
    to: '22.4',
    needs: [
      reindex('metadataGroupSearchStyle=mergeToTopLevelGroup needs it; otherwise nothing.', 'item', 'collection'),
    ],
  },
  ...['22.4 23.1', '23.1 23.2', '23.2 23.3', '23.3 23.4', '23.4 24.1'].map((pair): ReleaseRow => {
    const [from, to] = pair.split(' ') as [string, string];
    return { from, to, needs: [adjusted] };
  }),
];

/** Job steps that releases brought. */
export const addedSteps: readonly (readonly [release: string, type: string, step: number, description: string])[] = [
  ...['COPY_FILE', 'MOVE_FILE'].flatMap((type) =>
    (
      [
        [90, 'Waiting for source file hash'],
        [92, 'Retrieving source file hash'],
        [140, 'Waiting for destination file hash'],
        [150, 'Verifying file hashes'],
      ] as const
    ).map(([step, says]) => ['4.14', type, step, says] as const),
  ),
  ['4.12', 'TRANSCODE', 400, 'Finalizing media check'],
  ['4.12', 'CONFORM', 400, 'Finalizing media check'],
  ['4.12', 'AUTO_IMPORT', 550, 'Finalizing media check'],
  ['4.12', 'AUTO_IMPORT', 1100, 'Finalizing media check'],
  ['4.12', 'ESSENCE_VERSION', 800, 'Finalizing media check'],
  ['4.12', 'TIMELINE', 400, 'Creating the entities'],
  ['4.12', 'SHAPE_IMPORT', 1000, 'Remove old essence files'],
];
