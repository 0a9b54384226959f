import type { ItemType, URIListDocument } from '../../types.ts';
import { TooLarge } from '../answer-text.ts';
import { Refused } from './calls.ts';
import type { Difference, Migration, Parts } from './carry.ts';
import { valuesIn } from './metadata.ts';
import { many } from './original.ts';
import { at, BadName, decoded, type Path, segmentsHere, segmentsIn, withMatrix, withQuery } from './places.ts';

const kinds = ['thumbnail', 'poster'] as const;
type Kind = (typeof kinds)[number];

interface Picture {
  /** Path at the original. */
  readonly path: Path;
  /** Essence version. Undefined: the address does not tell. */
  readonly version: string | undefined;
  readonly time: string;
}

interface PictureLists {
  readonly thumbnails?: URIListDocument | undefined;
  readonly posters?: URIListDocument | undefined;
}

/** Item in the segment of a resource, and its version, such as `VX-115;version=1`. */
const itemForm = /^([^;]+)(?:;version=(\d{1,9}))?$/;

/** Parts of the address `…/thumbnail/{storage}/{item};version=1/{time}`. Undefined: it is no such address. */
function partsIn(segments: readonly string[] | undefined, kind: Kind) {
  const [first, storage = '', resource = '', last = '', ...more] = segments ?? [];
  const [, item = '', version] = itemForm.exec(resource) ?? [];
  const [place, id, time] = [storage, item, last].map((segment) => decoded(segment));
  const isPicture = first === kind && more.length === 0 && place && id && time !== undefined;
  if (!isPicture || /[/\\]/.test(place + id + time)) return undefined;
  const path =
    version === undefined ? at`/${kind}/${place}/${id}` : withMatrix(at`/${kind}/${place}/${id}`, 'version', version);
  return { path, version, time };
}

/** A picture at an address of the original. */
export function pictureAt(uri: string, kind: Kind, address: string): Picture | undefined {
  const { path, version, time } = partsIn(segmentsIn(uri, address), kind) ?? {};
  return path && time ? { path: at`${path}/${time}`, version, time } : undefined;
}

const urisOf = (lists: PictureLists, kind: Kind): readonly string[] =>
  many((kind === 'thumbnail' ? lists.thumbnails : lists.posters)?.uri).map(String);

const listsOf = ({ original }: Migration, lists: PictureLists, kind: Kind): readonly Picture[] =>
  urisOf(lists, kind).flatMap((uri) => pictureAt(uri, kind, original.address) ?? []);

/** A part for the thumbnails, and one for the posters: their times. */
export function pictureParts(migration: Migration, old: string, lists: PictureLists): Parts {
  const parts = kinds.map((kind) => {
    const pictures = listsOf(migration, lists, kind);
    if (pictures.length < urisOf(lists, kind).length)
      migration.report.remark('Pictures at addresses that are none of the original do not come', old);
    const times = pictures.map(({ version = '', time }) => `${version} ${time}`);
    return [`picture/${kind}`, times.toSorted()] as const;
  });
  return Object.fromEntries(parts.filter(([, times]) => times.length > 0));
}

/** The picture that stands for an item, by its version and time. */
export function representativeParts(migration: Migration, { id = '', metadata }: ItemType): Parts {
  const [address] = valuesIn(metadata, representative);
  if (!address || migration.options.without.has('thumbnails')) return {};
  const picture = pictureAt(address, 'thumbnail', migration.original.address);
  if (!picture) migration.report.remark('Pictures that stand for items, at addresses of other places, do not come', id);
  return picture ? { representative: `${picture.version ?? ''} ${picture.time}` } : {};
}

const representative = 'representativeThumbnail';

/** Says at the target which picture stands for an item. `path`: of the item there. */
export async function putRepresentative(
  { target, report }: Migration,
  path: Path,
  old: string,
  { parts, changed }: Difference,
): Promise<void> {
  if (!changed.has('representative')) return;
  const [version = '', time] = (parts['representative'] as string).split(' ');
  const place = await resourceHere({ target }, path, 'thumbnail', version);
  const keyed = many((await target.find<URIListDocument>(at`${place.path}?noauth-url=true`))?.uri);
  const address = keyed.find((uri) => partsIn(segmentsHere(uri), 'thumbnail')?.time === time);
  if (!address) return report.remark('Pictures that stand for items did not come', old, 'representative');
  const withoutHost = address.replace(/^https?:\/\/[^/]+/, '');
  const values = [
    { name: representative, value: [{ value: withoutHost.replace('/APInoauth/', '/API/').replace(/\?.*$/, '') }] },
    { name: `${representative}NoAuth`, value: [{ value: withoutHost }] },
  ];
  await target.write('PUT', at`${path}/metadata`, { timespan: [{ start: '-INF', end: '+INF', field: values }] });
}

/** Copies the pictures that are not at the target. */
export async function putPictures(
  migration: Migration,
  { path, old, lists }: { readonly path: Path; readonly old: string; readonly lists: PictureLists },
  { changed }: Difference,
): Promise<void> {
  const { original, target, report } = migration;
  for (const kind of kinds) {
    if (!changed.has(`picture/${kind}`)) continue;
    const resources = new Map<string, ResourceHere>();
    for (const { path: from, version = '', time } of listsOf(migration, lists, kind)) {
      const resource = resources.get(version) ?? (await resourceHere(migration, path, kind, version));
      resources.set(version, resource);
      if (resource.times.has(time)) continue;
      try {
        const { type, bytes } = await original.api.bytes(from, 'image/jpeg, image/png');
        if (!imageForm.test(type)) throw new NoPicture(`Expected a JPEG or PNG: "${type.slice(0, 80)}"`);
        await target.send('PUT', at`${resource.path}/${time}`, bytes, { 'content-type': type });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        report.remark(`Pictures that do not come: ${error.message.replace(/^.*?: /, '')}`, old, `picture/${kind}`);
      }
    }
  }
}

class NoPicture extends Error {}

/** Whether a picture does not come, now or later, and all else does. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof NoPicture ||
  error instanceof TooLarge ||
  error instanceof BadName ||
  (error instanceof Refused && error.status < 500);

const imageForm = /^image\/(?:jpeg|png)(?:;|$)/i;

interface ResourceHere {
  readonly path: Path;
  /** Times of its pictures. */
  readonly times: ReadonlySet<string>;
}

/** The resource of the pictures of an item here. `path`: of the item. */
async function resourceHere(
  { target }: Pick<Migration, 'target'>,
  path: Path,
  kind: Kind,
  version: string,
): Promise<ResourceHere> {
  const resources = kind === 'thumbnail' ? at`${path}/thumbnailresource` : at`${path}/posterresource`;
  const query = version === '' ? '' : `version=${version}`;
  const { uri } = await target.write<URIListDocument>('PUT', withQuery(resources, query));
  const place = partsIn(segmentsHere(many(uri)[0] ?? ''), kind)?.path;
  if (!place) throw new Error('Expected the address of a resource of pictures here');
  return { path: place, times: new Set(many((await target.find<URIListDocument>(place))?.uri)) };
}
