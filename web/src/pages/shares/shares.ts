import type { ShareDocument } from 'portico/types';

/** Target of a link: one item, a collection, or items that somebody has chosen. */
export type Target = 'item' | 'collection' | 'selection';

/** `ask`: a link by which guests bring files. */
export type Purpose = 'show' | 'ask';

const maxTitle = 200;

/** A title that the service takes. No character is cut in two. */
export const titleOf = (name: string): string =>
  name.length > maxTitle ? `${name.slice(0, maxTitle - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : name;

export const day = 24 * 3_600_000;
export const units = ['GB', 'MB', 'TB', 'KB'] as const;
const bytesOf: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** A number of bytes as a number and a unit. */
export function sizeOf(bytes: number): { readonly number: number; readonly unit: string } {
  const unit = (['TB', 'GB', 'MB'] as const).find(
    (each) => bytes % (bytesOf[each]! / 1000) === 0 && bytes >= bytesOf[each]!,
  );
  return { number: bytes / bytesOf[unit ?? 'KB']!, unit: unit ?? 'KB' };
}

/** Films and sounds are played. Pictures and documents are downloaded, too. Others are most often films. */
const downloaded = new Set(['image', 'data']);

/** Initial state of the form of a new link. `kind`: of the one item. */
export const startOf = (target: Target, purpose: Purpose, kind: string, comments: boolean): ShareDocument =>
  purpose === 'ask'
    ? { look: false, upload: { files: 100, bytes: 50e9 } }
    : {
        look: true,
        comment: comments,
        allow: target === 'item' && downloaded.has(kind) ? ['play', 'download'] : ['play'],
      };

/** Lives that a form offers, in days. `open`: no end. */
export const livesOf = (purpose: Purpose, maxDays = Number.POSITIVE_INFINITY): readonly number[] => {
  const lives = (purpose === 'ask' ? [7, 14] : [7, 14, 30]).filter((each) => each <= maxDays);
  return lives.length > 0 ? lives : [maxDays];
};

/** Millisecond at which a life ends that a form says. The last day ends where the person is. */
function endOf(life: string, date: string): number | undefined {
  if (life === 'date' && date !== '') return new Date(`${date}T23:59:59.999`).getTime();
  return Number(life) > 0 ? Date.now() + Number(life) * day : undefined;
}

/** Text of a mark that nobody has changed. */
export const defaultMark = '{name} {date}';

/** Document with the values of a form. Parts that the form does not show stay as they were. */
export function documentFrom(data: FormData, before: ShareDocument, purpose: Purpose): ShareDocument {
  const textOf = (name: string) => String(data.get(name) ?? '');
  const numberOf = (name: string) => Number(textOf(name)) || undefined;
  const ends = endOf(textOf('life'), textOf('day'));
  const look = purpose === 'show' || data.has('look');
  const allow = purpose === 'show' ? (['play', 'download'] as const).filter((use) => data.has(use)) : before.allow;
  const { text = defaultMark, ...rest } = before.mark ?? {};
  const mark = look && data.has('mark') ? { ...rest, text, burn: data.has('burn') } : undefined;
  const tagsOf = (use: 'play' | 'download') => {
    if (!look || !allow?.includes(use)) return [];
    return data.has('tags') ? data.getAll(`${use}Tag`).map(String) : before[use];
  };
  return {
    begins: before.begins,
    title: textOf('title'),
    note: textOf('note'),
    ...((textOf('password') !== '' || data.has('open')) && { password: data.has('open') ? '' : textOf('password') }),
    ...(ends !== undefined && { ends: new Date(ends).toISOString() }),
    maxUses: numberOf('maxUses'),
    asksName: data.has('asksName') || (mark?.text ?? '').includes('{name}'),
    mark,
    look,
    comment: look && data.has('comment'),
    allow: look ? allow : [],
    play: tagsOf('play'),
    download: tagsOf('download'),
    ...(data.has('files') && {
      upload: { files: numberOf('files') ?? 0, bytes: Math.round((numberOf('size') ?? 0) * bytesOf[textOf('unit')]!) },
    }),
  };
}

/** Address of the page for guests. The secret is behind `#`, which browsers send nowhere. */
export const addressOf = (token: string): string => `${location.origin}/ui/s#${token}`;

/** Page of the item or collection that a link shows, for the person. */
export const placeOf = ({ item, collection }: ShareDocument): string | undefined =>
  item === undefined ? collection && `/collection/${collection}` : `/item/${item}`;
