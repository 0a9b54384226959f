import type { HeldJob, Memo } from '../../jobs/job-type.ts';

/** Parameters of an import job, and results of its steps. */
export interface Importing {
  readonly itemId: string;
  /** Shape that the file fills. Undefined: a step makes one. */
  readonly shapeId: string | undefined;
  /** Component of a placeholder that gets the file. Undefined: the check decides. */
  readonly componentId: string | undefined;
  /** Source of the file: an address, a file of a storage, or an upload. */
  readonly uri: string | undefined;
  readonly fileId: string | undefined;
  readonly awaitsUpload: boolean;
  /** The shape was there before: what is in the file joins its components. */
  readonly joins: boolean;
  /** The storage that the caller wants for the new file. */
  readonly storageId: string | undefined;
  readonly filename: string | undefined;
  readonly allowReimport: boolean;
  readonly growing: boolean;
  readonly transcodes: boolean;
  /** Tags of the shape that a step makes, and its version. */
  readonly importTag: readonly string[];
  /** The shape with this tag becomes the original. */
  readonly original: string | undefined;
  readonly sidecars: readonly string[];
  /** The file of the import once it is known. */
  readonly targetId: string | undefined;
  /** The job writes the file, so it goes when the job fails. */
  readonly isCopy: boolean;
  readonly isWritten: boolean;
  /** Components have the file. */
  readonly isFilled: boolean;
}

/** Import parameters of a route. */
export type ImportWish = Partial<Omit<Importing, 'targetId' | 'isWritten' | 'isFilled'>> & {
  /** Memo for the steps of other rooms, with their own keys. */
  readonly others?: Memo;
};

const texts = ['itemId', 'shapeId', 'componentId', 'uri', 'fileId', 'storageId', 'filename', 'original'] as const;
const flags = ['awaitsUpload', 'joins', 'allowReimport', 'growing', 'transcodes', 'isCopy'] as const;
const lists = ['importTag', 'sidecars'] as const;

/** The keys of what callers see of an import. */
export const importData = ['uri', 'fileId', 'originalFilename', 'tags', 'shapeId'];

/** Memo of a job for the parameters. */
export function memoFrom(wish: ImportWish): Memo {
  const named = (names: readonly (keyof ImportWish)[]) =>
    names.flatMap((name) => (wish[name] === undefined ? [] : [[name, wish[name] as string | boolean] as const]));
  return {
    ...wish.others,
    ...Object.fromEntries([...named(texts), ...named(flags)]),
    ...Object.fromEntries(lists.flatMap((name) => (wish[name] ? [[name, JSON.stringify(wish[name])]] : []))),
  };
}

export function importingOf({ memo }: Pick<HeldJob, 'memo'>): Importing {
  const text = (key: string) => (typeof memo[key] === 'string' ? memo[key] : undefined);
  const list = (key: string) => JSON.parse(text(key) ?? '[]') as readonly string[];
  const flag = (key: string) => memo[key] === true;
  return {
    itemId: text('itemId')!,
    shapeId: text('shapeId'),
    componentId: text('componentId'),
    uri: text('uri'),
    fileId: text('fileId'),
    awaitsUpload: flag('awaitsUpload'),
    joins: flag('joins'),
    storageId: text('storageId'),
    filename: text('filename'),
    allowReimport: flag('allowReimport'),
    growing: flag('growing'),
    transcodes: flag('transcodes'),
    importTag: list('importTag'),
    original: text('original'),
    sidecars: list('sidecars'),
    targetId: text('targetId'),
    isCopy: flag('isCopy'),
    isWritten: flag('isWritten'),
    isFilled: flag('isFilled'),
  };
}
