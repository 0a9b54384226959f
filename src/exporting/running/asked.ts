import type { HeldJob, Memo } from '../../jobs/job-type.ts';

export const targets = ['item', 'shape', 'collection', 'library', 'thumbnail', 'poster'] as const;

/** What an export was asked for, as its steps know it. */
export interface Asked {
  readonly target: (typeof targets)[number];
  /** Of the item, where a picture is exported. */
  readonly id: string;
  /** Of the item of a shape. */
  readonly itemId: string | undefined;
  readonly uri: string;
  /** Undefined: the original shapes. */
  readonly tags: readonly string[] | undefined;
  readonly version: string;
  readonly track: string;
  readonly useOriginalFilename: boolean;
  readonly useOriginalComponentFilename: boolean;
  readonly metadata: boolean;
  /** What makes another document of the metadata. */
  readonly projection?: string | undefined;
  /** What is not there is passed over. Otherwise the job fails. */
  readonly lenient: boolean;
  /** Of the location. Undefined: files keep the names that they have. */
  readonly location: string | undefined;
  /** The template that says what files there are, and how they are called. */
  readonly template?: string | undefined;
  /** A part of the media, in microseconds. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Of a picture: the version of the essence, microseconds, and the type that it is to have. */
  readonly pictured?: number | undefined;
  readonly instant?: number | undefined;
  readonly type?: string | undefined;
}

/** A thumbnail or a poster: no file of the item. */
export const isPicture = ({ target }: Pick<Asked, 'target'>): boolean => target === 'thumbnail' || target === 'poster';

/** Only a part of the media is asked for. */
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
