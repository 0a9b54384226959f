import type { URIListDocument } from '../../types.ts';
import { Refused } from './calls.ts';
import type { Difference, Migration, Parts } from './carry.ts';
import { many } from './original.ts';

const kinds = ['thumbnail', 'poster'] as const;
type Kind = (typeof kinds)[number];

interface Picture {
  /** Path at the original. */
  readonly path: string;
  /** Essence version. Undefined: the address does not tell. */
  readonly version: string | undefined;
  readonly time: string;
}

interface PictureLists {
  readonly thumbnails?: URIListDocument | undefined;
  readonly posters?: URIListDocument | undefined;
}

const pictureIn = (uri: string): Picture | undefined => {
  const path = /\/(?:thumbnail|poster)\/[^?]+/.exec(uri)?.[0];
  const time = path?.split('/').at(-1);
  const version = /;version=(\d+)/.exec(path ?? '')?.[1];
  return path === undefined || time === undefined ? undefined : { path, version, time };
};

const listsOf = (lists: PictureLists, kind: Kind): readonly Picture[] =>
  many((kind === 'thumbnail' ? lists.thumbnails : lists.posters)?.uri).flatMap((uri) => pictureIn(uri) ?? []);

/** A part for the thumbnails, and one for the posters: their times. */
export function pictureParts(lists: PictureLists): Parts {
  const parts = kinds.map((kind) => {
    const times = listsOf(lists, kind).map(({ version = '', time }) => `${version} ${time}`);
    return [`picture/${kind}`, times.toSorted()] as const;
  });
  return Object.fromEntries(parts.filter(([, times]) => times.length > 0));
}

/** Copies the pictures that are not at the target. */
export async function putPictures(
  migration: Migration,
  { path, old, lists }: { readonly path: string; readonly old: string; readonly lists: PictureLists },
  { changed }: Difference,
): Promise<void> {
  const { original, target, report } = migration;
  for (const kind of kinds) {
    if (!changed.has(`picture/${kind}`)) continue;
    const resources = new Map<string, { readonly path: string; readonly times: ReadonlySet<string> }>();
    for (const { path: from, version = '', time } of listsOf(lists, kind)) {
      let resource = resources.get(version);
      if (!resource) {
        const query = version === '' ? '' : `?version=${version}`;
        const { uri } = await target.write<URIListDocument>('PUT', `${path}/${kind}resource${query}`);
        const place = /\/(?:thumbnail|poster)\/.*$/.exec(many(uri)[0] ?? '')![0];
        resource = { path: place, times: new Set(many((await target.find<URIListDocument>(place))?.uri)) };
        resources.set(version, resource);
      }
      if (resource.times.has(time)) continue;
      try {
        const answer = await original.api.open(from, { accept: 'image/jpeg, image/png' });
        const type = answer.headers.get('content-type') ?? 'image/jpeg';
        const bytes = new Uint8Array(await answer.arrayBuffer());
        await target.send('PUT', `${resource.path}/${time}`, bytes, { 'content-type': type });
      } catch (error) {
        if (!(error instanceof Refused) || error.status >= 500) throw error;
        report.remark(`Pictures that do not come: ${error.message.replace(/^.*?: /, '')}`, old);
      }
    }
  }
}
