/**
 * Chosen entities of a list. `all` stands for whatever the search finds, so that a choice of 100,000 needs no list:
 * only what is taken out of it.
 */
export interface Selection {
  readonly all: boolean;
  /** Chosen ids, or, with `all`, those that are not chosen. */
  readonly ids: ReadonlySet<string>;
}

export const nothing: Selection = { all: false, ids: new Set() };
export const everything: Selection = { all: true, ids: new Set() };

export function isChosen({ all, ids }: Selection, id: string): boolean {
  return ids.has(id) !== all;
}

export function sizeOf({ all, ids }: Selection, hits: number): number {
  return all ? Math.max(0, hits - ids.size) : ids.size;
}

export function chosen(selection: Selection, ids: Iterable<string>, to: boolean): Selection {
  const next = new Set(selection.ids);
  for (const id of ids) {
    if (to === selection.all) next.delete(id);
    else next.add(id);
  }
  return { all: selection.all, ids: next };
}

export function toggled(selection: Selection, id: string): Selection {
  return chosen(selection, [id], !isChosen(selection, id));
}
