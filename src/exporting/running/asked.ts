import type { HeldJob, Memo } from '../../jobs/job-type.ts';

const targets = ['item', 'shape', 'collection', 'library', 'thumbnail', 'poster'] as const;

/** Parameters of an export job. */
export interface Asked {
  readonly target: (typeof targets)[number];
  /** Id of the exported entity. For a picture the id of its item. */
  readonly id: string;
  /** Id of the item, if a shape is exported. */
  readonly itemId: string | undefined;
  readonly uri: string;
  /** Undefined: the original shapes. */
  readonly tags: readonly string[] | undefined;
  readonly version: string;
  readonly track: string;
  readonly useOriginalFilename: boolean;
  readonly useOriginalComponentFilename: boolean;
  readonly metadata: boolean;
  /** Projection that transforms the metadata. */
  readonly projection?: string | undefined;
  /** Whether missing files are skipped. Otherwise the job fails. */
  readonly lenient: boolean;
  /** Name of the export location. Undefined: files keep their names. */
  readonly location: string | undefined;
  /** Name of the template that defines the files and their names. */
  readonly template?: string | undefined;
  /** Start and end of a part of the media, in microseconds. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** For pictures: essence version, instant in microseconds, and media type of the result. */
  readonly pictured?: number | undefined;
  readonly instant?: number | undefined;
  readonly type?: string | undefined;
}

/** Whether a thumbnail or a poster is exported: those are no files of the item. */
export const isPicture = ({ target }: Pick<Asked, 'target'>): boolean => target === 'thumbnail' || target === 'poster';

/** Whether only a part of the media is exported. */
export const isPart = ({ start, end }: Pick<Asked, 'start' | 'end'>): boolean =>
  start !== undefined || end !== undefined;

export const memoOf = ({ tags, ...asked }: Asked): Memo => ({
  ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
  ...(tags && { tags: JSON.stringify(tags) }),
});

export function askedOf({ memo }: Pick<HeldJob, 'memo'>): Asked {
  const text = (key: string) => (typeof memo[key] === 'string' ? memo[key] : undefined);
  const number = (key: string) => (typeof memo[key] === 'number' ? memo[key] : undefined);
  const tags = text('tags');
  return {
    target: text('target') as Asked['target'],
    id: text('id')!,
    itemId: text('itemId'),
    uri: text('uri')!,
    tags: tags === undefined ? undefined : (JSON.parse(tags) as string[]),
    version: text('version')!,
    track: text('track')!,
    useOriginalFilename: memo['useOriginalFilename'] === true,
    useOriginalComponentFilename: memo['useOriginalComponentFilename'] === true,
    metadata: memo['metadata'] === true,
    projection: text('projection'),
    lenient: memo['lenient'] === true,
    location: text('location'),
    template: text('template'),
    start: number('start'),
    end: number('end'),
    pictured: number('pictured'),
    instant: number('instant'),
    type: text('type'),
  };
}
