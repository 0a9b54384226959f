import type { Reader } from '../../core/store/statement.ts';
import type { RuleSubjects } from '../contract.ts';
import { type Placement, placementOf, type StorageOption, winnerOf } from './rules.ts';
import { bestOf, firstNamed, rulesAmong } from './store.ts';

/** Rule subjects of a file without an item. */
export const noRules: RuleSubjects = { items: [], collections: [], libraries: [], tags: [] };

/** The storage chosen for a file with these rule subjects. Undefined: none fits. */
export async function chooseStorage(
  reader: Reader,
  { items, collections, libraries, tags }: RuleSubjects,
): Promise<string | undefined> {
  const rows = await rulesAbout(reader, { items, collections, libraries, tags });
  const placement = placementOf(winnerOf(rows));
  for (const option of placement.options) {
    const id = await bestFor(reader, option, placement);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Starts the reads of `chooseStorage` for a file that no rule concerns, for `Store.ahead`. */
export const chooseAhead = (reader: Reader, about: RuleSubjects): Promise<unknown> =>
  Promise.all([rulesAbout(reader, about), bestFor(reader, { kind: 'anywhere' }, placementOf())]);

function rulesAbout(reader: Reader, { items, collections, libraries, tags }: RuleSubjects) {
  // A new file belongs to no shape yet.
  return rulesAmong(reader, { items, collections, libraries, shapes: [], tags });
}

/** Whether another storage takes the files of this one. */
export async function hasOther(reader: Reader, id: string): Promise<boolean> {
  const placement = { ...placementOf(), notStorages: [id] };
  return (await bestFor(reader, { kind: 'anywhere' }, placement)) !== undefined;
}

async function bestFor(reader: Reader, option: StorageOption, placement: Placement): Promise<string | undefined> {
  const { notStorages, notGroups, criteria } = placement;
  const not = { notStorages, notGroups };
  const [first = '', second = ''] = criteria;
  const { storages, groups } = { storages: [], groups: [], ...option };
  const [choice] =
    option.kind === 'named'
      ? await firstNamed(reader, { ...not, storages })
      : await bestOf(reader, {
          ...not,
          anywhere: option.kind === 'anywhere' ? 1 : 0,
          storages,
          groups,
          first,
          second,
        });
  return choice?.id;
}
