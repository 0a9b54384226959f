import { useEffect, useRef } from 'preact/hooks';
import type { UploadEntry } from '../../api/upload-list.ts';
import { uploads } from '../../api/uploads.ts';
import { type Results, type Tile, tileOfFile } from './results.ts';
import { isEmptySearch, type Search } from './search.ts';

const hasEnded = ({ importing }: UploadEntry) => importing === 'finished';

/** Uploads that are items already. */
const idsOfItems = (): ReadonlySet<string> =>
  new Set(uploads.value.flatMap(({ id, item }) => (item === undefined ? [] : [id])));

/**
 * Uploads of the person before the items of a list, each as its item once that is there. `collection`: only those that
 * join it. A search shows what it finds alone.
 */
export function useOwnUploads(results: Results, base: string, collection: string | undefined, search: Search) {
  /** Uploads whose items the list has, and those whose items the next one has. */
  const listed = useRef(idsOfItems());
  const next = useRef(listed.current);
  const list = useRef(results.list.value);
  if (list.current !== results.list.value) {
    list.current = results.list.value;
    listed.current = next.current;
  }
  const isAll = isEmptySearch(search);
  const shown = uploads.value.filter(
    ({ id, options, isEarlier }) =>
      isAll &&
      !isEarlier &&
      !listed.current.has(id) &&
      (base === '/' || (collection !== undefined && options.collection === collection)),
  );
  const ids = shown.flatMap(({ item, importing }) => (item !== undefined && importing !== undefined ? [item] : []));
  useEffect(() => void results.wantOwn(ids), [results, ids.join()]);
  const tiles = results.own.value;
  const entries = shown.map((upload) => {
    const tile = tiles.get(upload.item ?? '') ?? tileOfFile(upload.id, upload.name);
    return { upload, tile } satisfies { upload: UploadEntry; tile: Tile };
  });
  return {
    entries,
    /** The upload that an entry stands for, until it has ended well. */
    uploadOf(index: number, id: string | undefined): UploadEntry | undefined {
      const upload = entries[index]?.upload ?? uploads.value.find(({ item }) => item !== undefined && item === id);
      return upload && !hasEnded(upload) ? upload : undefined;
    },
    /** The list is asked for again: it has the items that are there. */
    end(): void {
      next.current = idsOfItems();
    },
  };
}
